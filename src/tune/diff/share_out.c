/* SPDX-License-Identifier: Apache-2.0 */
#include "tune/diff/share_out.h"

#include <math.h>

#define NS_MOST 4e18 /* 126 years: what a double holds beyond is no time of a run */

static int64_t rounded(double share)
{
	return isnan(share) ? 0 : (int64_t)round(fmax(-NS_MOST, fmin(NS_MOST, share)));
}

void share_out(const double *shares, size_t count, int64_t total, int64_t *ret)
{
	size_t largest = 0;
	__int128 left = total;

	for (size_t i = 0; i < count; i++) {
		ret[i] = rounded(shares[i]);
		left -= ret[i];
		if (fabs(shares[i]) > fabs(shares[largest]) || isnan(shares[largest]))
			largest = i;
	}
	ret[largest] = (int64_t)(ret[largest] + left);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Somebody else's work: uses a CPU until it is killed. */
int main(void)
{
	for (volatile unsigned long i = 0;; i++)
		;
}

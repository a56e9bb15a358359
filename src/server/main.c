/* SPDX-License-Identifier: Apache-2.0 */
#include "server/server.h"

int main(int argc, char **argv)
{
	return server_main(argc, argv);
}

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* How the FOCUS data of a provider names what a host is; as in its own exports. */
struct focus_provider {
	const char *id; /* as in hosts.provider */
	const char *name, *service, *service_subcategory, *resource_type, *account_type;
};

/* Never NULL: an unknown provider, and "", is a machine of one's own. */
const struct focus_provider *focus_provider(const char *id);

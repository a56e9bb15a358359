/* SPDX-License-Identifier: Apache-2.0 */
#include "server/inventory/inventory_service.h"

#include <errno.h>
#include <stdlib.h>

#include "server/inventory/inventory_reader.h"
#include "server/inventory/lister.h"

struct inventory_service {
	struct inventory_settings *settings;
	struct lister lister;
	struct inventory_reader *reader;
};

int inventory_open(struct inventory_service **ret, const char *path, struct error *err)
{
	CLEANUP(inventory_settings_freep) struct inventory_settings *settings = NULL;
	struct error words = { "" };
	int rc = inventory_settings_read(path, &settings, &words);

	*ret = NULL;
	if (rc == -ENOENT)
		return 0;
	if (rc)
		return error_set(err, rc, "%s", error_text(&words));
	if (settings->count == 0)
		return 0;
	*ret = calloc(1, sizeof(**ret));
	if (!*ret)
		return error_set(err, -ENOMEM, "out of memory");
	**ret = (struct inventory_service){ TAKE_PTR(settings), { -1, -1 }, NULL };
	return 0;
}

int inventory_fork(struct inventory_service *service, struct error *err)
{
	return service ? lister_start(service->settings, &service->lister, err) : 0;
}

int inventory_serve(struct inventory_service *service, struct server *server, struct error *err)
{
	return service ? inventory_reader_start(&service->reader, server, service->settings,
						&service->lister, err)
		       : 0;
}

void inventory_close(struct inventory_service *service)
{
	if (!service)
		return;
	inventory_reader_stop(service->reader);
	closep(&service->lister.lines);
	closep(&service->lister.control);
	inventory_settings_free(service->settings);
	free(service);
}

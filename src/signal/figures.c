#include "signal/figures.h"

#define DELTA_SUM(name)   delta.name = later->name > earlier->name ? later->name - earlier->name : 0;
#define DELTA_WAIT(name)  DELTA_SUM(name)
#define DELTA_LEVEL(name) delta.name = later->name;
#define DELTA_PEAK(name)  delta.name = later->name;

void figures_delta(const Signal__Figures *earlier, const Signal__Figures *later,
		   Signal__Figures *ret)
{
	Signal__Figures delta = SIGNAL__FIGURES__INIT;

#define F(name, kind) DELTA_##kind(name)
	FIGURES(F)
#undef F
	*ret = delta;
}

#define SAME_SUM(name) &&a->name == b->name
#define SAME_WAIT(name)
#define SAME_LEVEL(name) &&a->name == b->name
#define SAME_PEAK(name)

_Bool figures_same(const Signal__Figures *a, const Signal__Figures *b)
{
#define F(name, kind) SAME_##kind(name)
	return 1 FIGURES(F);
#undef F
}

#define ADD_SUM(name)   total->name += more->name;
#define ADD_WAIT(name)  ADD_SUM(name)
#define ADD_LEVEL(name) total->name += more->name;
#define ADD_PEAK(name)                \
	if (more->name > total->name) \
		total->name = more->name;

void figures_add(Signal__Figures *total, const Signal__Figures *more)
{
#define F(name, kind) ADD_##kind(name)
	FIGURES(F)
#undef F
}

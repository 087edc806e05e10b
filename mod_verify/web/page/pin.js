// The first action of a screen stays at the lower edge of the window while its own
// place is below that (widget.css). The style sheet has to know how high everything
// is that follows it.

const EDGE = 12; // pixels between the action and the edge, as much as the bar has below its last

// Watches the actions in PLACE; returns what ends that.
export function pinAction(place) {
  const first = place.querySelector('.actions > .primary');
  if (!first) return () => {};
  const bar = first.parentElement;
  const measure = () => bar.style.setProperty('--after', `${Math.round(
    bar.getBoundingClientRect().bottom - first.getBoundingClientRect().bottom)
    - EDGE}px`);
  const watch = new ResizeObserver(measure);
  watch.observe(bar);
  measure();
  return () => watch.disconnect();
}

// Moving pictures of what a person has to do. Each is drawn in lines; the classes of
// its parts say in widget.css how they move. Those who want less motion see the end
// of it. The text next to a picture says the same.

const SVG = 'http://www.w3.org/2000/svg';

// The picture of PARTS, each [classes, path]; SMALL beside much else.
export function scene(parts, { small = false } = {}) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'scene');
  svg.setAttribute('viewBox', '0 0 96 64');
  svg.setAttribute('aria-hidden', 'true');
  for (const [classes, d] of parts) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', classes);
    path.setAttribute('d', d);
    svg.append(path);
  }
  const place = document.createElement('div');
  place.className = small ? 'picture small' : 'picture';
  place.append(svg);
  return place;
}

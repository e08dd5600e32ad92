type Props = Readonly<Record<string, string | boolean>>

/** Creates an element. `true` sets an attribute without a value, `false` leaves it out. Texts never become markup. */
export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props))
    if (value !== false) element.setAttribute(name, value === true ? '' : value)
  element.append(...children)
  return element
}

const SVG = 'http://www.w3.org/2000/svg'

/** A decorative icon of 24 × 24 with lines in the colour of the text. */
export function icon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

const MARKED = /\*([^*\n]+)\*|(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/g

/** Text with links and `*bold*`, as menus write it. */
export function formatted(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let end = 0
  for (const match of text.matchAll(MARKED)) {
    const [all, bold, link = ''] = match
    parts.push(text.slice(end, match.index))
    parts.push(
      bold === undefined
        ? create('a', { href: link, target: '_blank', rel: 'noopener noreferrer' }, link)
        : create('strong', {}, bold),
    )
    end = match.index + all.length
  }
  return [...parts, text.slice(end)]
}

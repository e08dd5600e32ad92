import { Parser } from 'htmlparser2'
import type { ParsedFile } from './parsed.ts'

const SKIPPED: ReadonlySet<string> = new Set(
  'script style noscript template svg canvas iframe object nav form button select textarea dialog head aside'.split(
    ' ',
  ),
)
const NOISE_ROLES: ReadonlySet<string> = new Set(['navigation', 'search', 'menu', 'menubar', 'dialog', 'banner'])
const BLOCKS: ReadonlySet<string> = new Set(
  'p div section article main li ul ol dl dt dd table tr br hr h1 h2 h3 h4 h5 h6 blockquote pre address figure figcaption header footer'.split(
    ' ',
  ),
)
const VOID: ReadonlySet<string> = new Set('br hr img input meta link area base col embed source track wbr'.split(' '))
const HEADING = /^h[1-3]$/
const LINKS_MAX = 2_000
const DEPTH_MAX = 2_000

interface Section {
  readonly secao: string
  text: string
}

/** The text of a page without its navigation. The footer is a section, because shops write address and hours there. */
export function readHtml(html: string): ParsedFile {
  const page = new Page()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      ontext: (text) => page.write(text),
      onclosetag: (name) => page.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  )
  parser.end(html)
  return page.result()
}

function isNoise(name: string, attributes: Readonly<Record<string, string>>): boolean {
  const hidden = 'hidden' in attributes || attributes['aria-hidden'] === 'true'
  return hidden || SKIPPED.has(name) || NOISE_ROLES.has(attributes['role']?.toLowerCase() ?? '')
}

class Page {
  readonly #sections: Section[] = [{ secao: '', text: '' }]
  readonly #footer: Section = { secao: '', text: '' }
  readonly #links: string[] = []
  readonly #stack: { readonly name: string; readonly skips: boolean }[] = []
  #skipping = 0
  #footers = 0
  #heading: string | null = null
  #title = ''
  #inTitle = false
  #noindex = false

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#readFacts(name, attributes)
    if (VOID.has(name)) {
      if (BLOCKS.has(name)) this.#append('\n')
      return
    }
    if (name === 'title') this.#inTitle = this.#title === ''
    // A deeper page is no text. Its further tags count as text only.
    if (this.#stack.length >= DEPTH_MAX) return
    const skips = isNoise(name, attributes)
    this.#stack.push({ name, skips })
    if (skips) this.#skipping += 1
    if (name === 'footer') this.#footers += 1
    if (BLOCKS.has(name)) this.#append('\n')
    if (HEADING.test(name) && this.#skipping === 0) this.#heading = ''
  }

  #readFacts(name: string, attributes: Readonly<Record<string, string>>): void {
    const href = attributes['href']
    if (name === 'a' && href !== undefined && this.#links.length < LINKS_MAX && attributes['rel'] !== 'nofollow')
      this.#links.push(href)
    const isRobots = name === 'meta' && attributes['name']?.toLowerCase() === 'robots'
    if (isRobots && /noindex|none/i.test(attributes['content'] ?? '')) this.#noindex = true
  }

  write(text: string): void {
    if (this.#inTitle) this.#title += text
    if (this.#skipping > 0) return
    if (this.#heading === null) this.#append(text.replace(/\s+/g, ' '))
    else this.#heading += text
  }

  close(name: string): void {
    if (name === 'title') this.#inTitle = false
    if (this.#stack.at(-1)?.name !== name) return
    const closed = this.#stack.pop()
    if (closed?.skips === true) this.#skipping -= 1
    if (HEADING.test(name) && this.#heading !== null) this.#endHeading()
    if (BLOCKS.has(name)) this.#append('\n')
    if (name === 'td' || name === 'th') this.#append(' | ')
    if (name === 'footer') this.#footers -= 1
  }

  #endHeading(): void {
    const secao = (this.#heading ?? '').replace(/\s+/g, ' ').trim().slice(0, 200)
    this.#heading = null
    if (secao === '') return
    if (this.#footers > 0) this.#footer.text += `\n${secao}\n`
    else this.#sections.push({ secao, text: '' })
  }

  #append(text: string): void {
    if (this.#skipping > 0) return
    const section = this.#footers > 0 ? this.#footer : this.#sections.at(-1)
    if (section !== undefined) section.text += text
  }

  result(): ParsedFile {
    const titulo = this.#title.replace(/\s+/g, ' ').trim().slice(0, 200)
    const sections = [...this.#sections, this.#footer].map(({ secao, text }) => ({ secao, texto: cleanLines(text) }))
    const written = sections.filter(({ texto }) => texto !== '')
    return { sections: written, titulo, links: this.#links, noindex: this.#noindex }
  }
}

function cleanLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/(?:\s*\|\s*)+$/, '').trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .join('\n')
}

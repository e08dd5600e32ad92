import { foldAccents } from '@balcao/contract/text/fold-accents'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked, type Token, type Tokens } from 'marked'
import type { Plugin } from 'vite'

/**
 * At build time `docs/manual/*.md` becomes a tree of known tags, which React draws as elements. The panel never
 * parses Markdown or HTML.
 */

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'manual')
const VIRTUAL = 'virtual:manual'
const RESOLVED = `\0${VIRTUAL}`

/** A text, or a tag with its children. `para` is the target of a link. */
type ManualNode =
  | string
  | { readonly t: string; readonly c?: readonly ManualNode[]; readonly para?: string; readonly id?: string }

interface Tema {
  readonly id: string
  readonly titulo: string
  readonly resumo: string
  readonly blocos: readonly ManualNode[]
  readonly texto: string
}

const idOf = (file: string): string => file.replace(/^\d+-|\.md$/g, '')

const anchorOf = (text: string): string =>
  foldAccents(text)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Accepts links to a page of the manual, a tab of the panel, or a legal page. Throws on any other link. */
function linkTo(href: string): { t: string; para: string } {
  const tema = /^(\d+-[\w-]+\.md)$/.exec(href)?.[1]
  if (tema !== undefined) return { t: 'tema', para: idOf(tema) }
  const aba = /^\/dashboard\?aba=(\w+)$/.exec(href)?.[1]
  if (aba !== undefined) return { t: 'aba', para: aba }
  if (href === '/privacy' || href === '/terms') return { t: 'pagina', para: href }
  throw new Error(`manual: unexpected link to ${href}`)
}

const TAGS: Readonly<Record<string, string>> = {
  strong: 'strong',
  em: 'em',
  paragraph: 'p',
  blockquote: 'blockquote',
}

const isList = (token: Token): token is Tokens.List => token.type === 'list'
const isTable = (token: Token): token is Tokens.Table => token.type === 'table'
const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'
const isLink = (token: Token): token is Tokens.Link => token.type === 'link'

function tableNode({ header, rows }: Tokens.Table): ManualNode {
  const row = (cells: readonly Tokens.TableCell[], t: string): ManualNode => ({
    t: 'tr',
    c: cells.map((cell) => ({ t, c: nodesOf(cell.tokens) })),
  })
  return {
    t: 'table',
    c: [
      { t: 'thead', c: [row(header, 'th')] },
      { t: 'tbody', c: rows.map((cells) => row(cells, 'td')) },
    ],
  }
}

function unescapeText(text: string): string {
  return text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
}

function structureOf(token: Token): ManualNode | undefined {
  if (isHeading(token)) return { t: `h${token.depth}`, c: nodesOf(token.tokens), id: anchorOf(token.text) }
  if (isTable(token)) return tableNode(token)
  if (isLink(token)) return { ...linkTo(token.href), c: nodesOf(token.tokens) }
  if (!isList(token)) return undefined
  return { t: token.ordered ? 'ol' : 'ul', c: token.items.map((item) => ({ t: 'li', c: nodesOf(item.tokens) })) }
}

function nodesOfToken(token: Token): readonly ManualNode[] {
  if (token.type === 'space') return []
  const structure = structureOf(token)
  if (structure !== undefined) return [structure]
  const children = 'tokens' in token && token.tokens !== undefined ? nodesOf(token.tokens) : undefined
  const t = TAGS[token.type]
  if (t !== undefined) return [{ t, c: children ?? [] }]
  if (token.type === 'codespan') return [{ t: 'code', c: [unescapeText(token.raw.replace(/^`|`$/g, ''))] }]
  if (token.type === 'text' || token.type === 'escape') {
    return children ?? [unescapeText('text' in token ? String(token.text) : token.raw)]
  }
  throw new Error(`manual: unexpected ${token.type}: ${token.raw.slice(0, 60)}`)
}

const nodesOf = (tokens: readonly Token[]): ManualNode[] => tokens.flatMap(nodesOfToken)

const wordsOf = (tree: readonly ManualNode[]): string =>
  tree.map((part) => (typeof part === 'string' ? part : `${wordsOf(part.c ?? [])} `)).join('')

function readTema(file: string): Tema {
  const [title, summary, ...blocos] = nodesOf(marked.lexer(readFileSync(join(FOLDER, file), 'utf8')))
  if (typeof title !== 'object' || title.t !== 'h1' || typeof summary !== 'object' || summary.t !== 'p') {
    throw new Error(`manual: ${file} does not begin with a title and a summary line`)
  }
  return {
    id: idOf(file),
    titulo: wordsOf(title.c ?? []),
    resumo: wordsOf(summary.c ?? []),
    blocos,
    texto: wordsOf(blocos).replace(/\s+/g, ' ').trim(),
  }
}

function linkedTemas(tree: readonly ManualNode[]): string[] {
  return tree.flatMap((part) =>
    typeof part === 'string' ? [] : [...(part.t === 'tema' ? [part.para ?? ''] : []), ...linkedTemas(part.c ?? [])],
  )
}

/** Pages of the manual in order. Throws on a link to a page that does not exist. */
function readManual(): Tema[] {
  const temas = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map(readTema)
  const ids = new Set(temas.map(({ id }) => id))
  for (const { id, blocos } of temas) {
    const missing = linkedTemas(blocos).find((target) => !ids.has(target))
    if (missing !== undefined) throw new Error(`manual: ${id} links to ${missing}, which does not exist`)
  }
  return temas
}

export function manual(): Plugin {
  return {
    name: 'balcao:manual',
    resolveId: (id) => (id === VIRTUAL ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null
      for (const name of readdirSync(FOLDER)) this.addWatchFile(join(FOLDER, name))
      return `export const TEMAS = ${JSON.stringify(readManual())}`
    },
  }
}

/** Reads the tables of `docs/spec-coverage.md` and `docs/security.md`, and what their cells point to. */

export interface Linha {
  /** The first cell of the table's header: `Rule`, `Sentence`, `Route`, `Event`, `Number`, `Id`. */
  readonly tipo: string
  readonly numero: number
  /** Cells by the name of their column. */
  readonly celulas: ReadonlyMap<string, string>
}

export interface Ligacao {
  /** From the project's folder. */
  readonly arquivo: string
  /** What the text after the link quotes in “…”, up to the next link: titles of tests. */
  readonly titulos: readonly string[]
}

function cellsOf(texto: string): string[] {
  // A bar inside a cell is written \| as Markdown asks.
  return texto
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
    .map((celula) => celula.trim().replaceAll('\\|', '|'))
}

/** Every row of every table, with the line it stands on. */
export function lerTabelas(markdown: string): Linha[] {
  const linhas: Linha[] = []
  let cabecalho: readonly string[] | null = null
  for (const [indice, texto] of markdown.split('\n').entries()) {
    if (!texto.startsWith('|')) {
      cabecalho = null
    } else if (cabecalho === null) {
      cabecalho = cellsOf(texto)
    } else if (!/^\|[\s:|-]+\|$/.test(texto)) {
      const celulas = cellsOf(texto)
      const colunas = cabecalho.map((coluna, i): [string, string] => [coluna, celulas[i] ?? ''])
      if (celulas.length !== cabecalho.length) throw new Error(`line ${indice + 1}: ${celulas.length} cells`)
      linhas.push({ tipo: cabecalho[0] ?? '', numero: indice + 1, celulas: new Map(colunas) })
    }
  }
  return linhas
}

/** The links of a cell to files of the project, with the titles quoted after each. `pasta` is the document's own. */
export function lerLigacoes(celula: string, pasta = 'docs'): Ligacao[] {
  const ligacoes: Ligacao[] = []
  for (const [, endereco = '', depois = ''] of celula.matchAll(/\[[^\]]+\]\(([^)]+)\)([^[]*)/g)) {
    const arquivo = new URL(endereco, `file:///${pasta}/`).pathname.slice(1)
    const titulos = [...depois.matchAll(/“([^”]+)”/g)].map(([, titulo = '']) => titulo)
    ligacoes.push({ arquivo, titulos })
  }
  return ligacoes
}

/** What stands between the first pair of backticks, or null. */
export function lerCodigo(celula: string): string | null {
  return /`([^`]+)`/.exec(celula)?.[1] ?? null
}

/** The fixed pieces of a sentence: `Erro ao salvar: {message}` is `Erro ao salvar`, for the value and its colon are put there. */
export function pedacosFixos(frase: string): string[] {
  return frase
    .split(/\{\w+\}/)
    .map((pedaco) => pedaco.trim().replace(/:$/, ''))
    .filter((pedaco) => pedaco !== '')
}

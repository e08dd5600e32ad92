import type { OrderAct, OrderProduto } from '../acts.ts'
import catalogos from './catalogos.tsv?raw'

/**
 * Labelled sentences for tests. A catalogue has lines of id, nome, sinonimos and grupos. A sentence has its text, its
 * acts and the produto on show.
 *
 * Acts: `+2 pizza[g,cal] (sem cebola)` adds, `-#2` and `-coxinha` remove, `=3 coxinha` sets a quantity, `?1 a,b` is a
 * doubt, `!` and `!q` are not found, `ver 3` and `listar a,b` show, `nada` is an empty list.
 */

export interface LabelledSentence {
  readonly catalogo: string
  readonly texto: string
  readonly atos: string
  readonly mostrado: string | null
}

type Grupos = OrderProduto['grupos']

/** `Tamanho 1-1: p=Pequena, g=Grande; Borda 0-1: c=Catupiry` */
function gruposOf(text: string): Grupos {
  return text.split(';').flatMap((part) => {
    const found = /^\s*(.+?) (\d+)-(\d+):(.*)$/.exec(part)
    if (found === null) return []
    const [, nome = '', minimo = '', maximo = '', opcoes = ''] = found
    return {
      ...{ id: nome, nome, minimo: Number(minimo), maximo: Number(maximo), preco: 'soma' },
      opcoes: opcoes.split(',').map((option) => {
        const [id = '', name = ''] = option.trim().split('=')
        return { id, nome: name, acrescimoCentavos: 0, ativa: true }
      }),
    }
  })
}

function sections(text: string): [string, string[]][] {
  return text
    .split(/^# /m)
    .slice(1)
    .map((section) => section.trimEnd().split('\n'))
    .map(([name = '', ...lines]) => [name, lines])
}

/** Catalogues by name. */
export const CATALOGOS: ReadonlyMap<string, readonly OrderProduto[]> = new Map(
  sections(catalogos).map(([name, lines]) => [
    name,
    lines.map((line, at) => {
      const [id = '', nome = '', sinonimos = '', grupos = ''] = line.split('\t')
      return { id, nome, sinonimos: sinonimos.split('|').filter(Boolean), numero: at + 1, grupos: gruposOf(grupos) }
    }),
  ]),
)

export function readSentences(text: string): LabelledSentence[] {
  return sections(text).flatMap(([catalogo, lines]) =>
    lines.map((line) => {
      const [texto = '', atos = '', mostrado = null] = line.split('\t')
      return { catalogo, texto: texto.replaceAll(String.raw`\n`, '\n'), atos, mostrado }
    }),
  )
}

const list = (ids: readonly string[]): string => ids.toSorted().join(',')

/** One act in the notation of the labels. Of a doubt only candidates and quantity count. */
export function labelOf(act: OrderAct): string {
  if (act.tipo === 'adicionar') return labelOfItem(act)
  if (act.tipo === 'tirar' || act.tipo === 'trocar') return labelOfChange(act)
  if (act.tipo === 'duvida') return `?${act.quantidade} ${list(act.candidatos)}`
  if (act.tipo === 'naoAchei') return act.motivo === 'produto' ? '!' : '!q'
  if (act.tipo === 'mostrar') return `ver ${act.numero}`
  if (act.tipo === 'listar') return `listar ${list(act.produtoIds)}`
  if (act.tipo === 'cupom') return `cupom ${act.codigo}`
  return act.tipo === 'verCarrinho' ? 'carrinho' : act.tipo
}

function labelOfItem({ quantidade, produtoId, opcoes, observacao }: Extract<OrderAct, { tipo: 'adicionar' }>): string {
  const chosen = opcoes.length === 0 ? '' : `[${list(opcoes)}]`
  return `+${quantidade} ${produtoId}${chosen}${observacao === undefined ? '' : ` (${observacao})`}`
}

function labelOfChange(act: Extract<OrderAct, { tipo: 'tirar' | 'trocar' }>): string {
  if ('item' in act) return `-#${act.item}`
  if (act.tipo === 'trocar') return `=${act.quantidade} ${act.produtoIds.length === 0 ? '*' : list(act.produtoIds)}`
  return `-${act.quantidade === undefined ? '' : `${act.quantidade} `}${list(act.produtoIds)}`
}

const sortIds = (label: string): string =>
  label
    .replace(/\[(.*)\]/, (_, ids: string) => `[${list(ids.split(','))}]`)
    .replace(/^(\?\d+ |=\d+ |-(?:\d+ )?|listar )(.*)$/, (_, start: string, ids: string) => start + list(ids.split(',')))

/** Labels of a sentence, with ids in order. */
export const labelsOf = ({ atos }: LabelledSentence): string[] =>
  atos === 'nada' ? [] : atos.split(' ; ').map(sortIds)

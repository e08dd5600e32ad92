import { createPool, findEmbedded, indexMensagens } from '@balcao/server/bench'
import { startProduct, type Product } from '@balcao/e2e/product.ts'
import { at, prepareContaWithBot, type ReadyConta } from '@balcao/e2e/ready-conta.ts'
import { median, percentile } from '../messages/meters.ts'
import { atMost, figure, type Line, type Section, shown } from '../report.ts'
import { measureImport } from './import.ts'
import { CONVERSAS, fillLargeConta, MENSAGENS } from './large-fill.ts'
import { NAME_WORDS, VOCABULARY } from './large-words.ts'

const READS = 100
/** Places in the vocabulary: in most messages, in about one of 350, and in about 40. */
const FREQUENT = 3
const MEDIUM = 300
const RARE = 20_000
const FIRST_NAME = 0
const RARE_NAME = 500

const wordOf = (n: number): string => VOCABULARY[n] ?? ''
const nameOf = (n: number): string => NAME_WORDS[n] ?? ''

/** Exchanges two letters inside the word. */
function misspell(word: string, n: number): string {
  const at = 1 + (n % (word.length - 2))
  return (
    word.slice(0, at) +
    word
      .slice(at, at + 2)
      .split('')
      .toReversed()
      .join('') +
    word.slice(at + 2)
  )
}

const SEARCHES: readonly (readonly [string, (n: number) => string])[] = [
  ['search, a frequent word', (n) => wordOf(FREQUENT + (n % 5))],
  ['search, two frequent words', (n) => `${wordOf(n % 10)} ${wordOf(10 + (n % 10))}`],
  ['search, a word of medium frequency', (n) => wordOf(MEDIUM + n)],
  ['search, a rare word', (n) => wordOf(RARE + n)],
  ['search, a rare word with a frequent one', (n) => `${wordOf(RARE + n)} ${wordOf(n % 10)}`],
  ['search, a word that is nowhere', (n) => `xequexeque${n}`],
  ['search, a misspelt frequent word', (n) => misspell(wordOf(11 + (n % 5)), n)],
  ['search, a misspelt rare word with a frequent one', (n) => `${misspell(wordOf(RARE + n), n)} ${wordOf(n % 10)}`],
  ['search, a frequent name and a frequent word', (n) => `${nameOf(FIRST_NAME + (n % 5))} ${wordOf(11 + (n % 9))}`],
  ['search, a frequent name and a rare word', (n) => `${nameOf(FIRST_NAME + (n % 5))} ${wordOf(RARE + n)}`],
  ['search, a rare name and a frequent word', (n) => `${nameOf(RARE_NAME + n)} ${wordOf(11 + (n % 9))}`],
  ['search, a rare name and a word of medium frequency', (n) => `${nameOf(RARE_NAME + n)} ${wordOf(MEDIUM + n)}`],
]

/** The same search for the field of the list: customers, conversas, messages and products in one answer. */
const ONE_SEARCH: readonly (readonly [string, (n: number) => string])[] = [
  ['one search, a frequent word', (n) => wordOf(FREQUENT + (n % 5))],
  ['one search, a misspelt rare word', (n) => misspell(wordOf(RARE + n), n)],
  ['one search, a frequent name', (n) => nameOf(FIRST_NAME + (n % 5))],
  ['one search, a frequent name and a frequent word', (n) => `${nameOf(FIRST_NAME + (n % 5))} ${wordOf(11 + (n % 9))}`],
  ['one search, the end of a phone', (n) => String(1_000 + n)],
]

async function measureReads(
  { apis }: ReadyConta,
  name: string,
  goalMs: number,
  pathOf: (n: number) => string,
): Promise<Line[]> {
  const times: number[] = []
  for (let n = 0; n < READS; n += 1) {
    const start = performance.now()
    await apis[n % apis.length]?.get(pathOf(n))
    times.push(performance.now() - start)
  }
  return [
    shown(`${name}, p50`, figure(median(times), 'ms')),
    atMost(`${name}, p95`, percentile(times, 95), goalMs, 'ms'),
  ]
}

async function fill(product: Product, { apis: [api] }: ReadyConta): Promise<string> {
  const target = await findEmbedded(product)
  if (target === null || api === undefined) throw new Error('product without a database or a login')
  const etiqueta = String(at(await api.post('/etiquetas', { nome: 'Cliente fiel', cor: 'green' }), 'etiqueta', 'id'))
  const client = createPool(target, { max: 1, statementTimeoutMs: 600_000 })
  try {
    const { rows } = await client.query<{ id: string }>(`select conta_id as id from etiquetas`)
    await fillLargeConta(client, rows[0]?.id ?? '', etiqueta)
    await indexMensagens(target)
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
  return etiqueta
}

/** Measures filtered lists, search and an import in a conta with 100,000 conversas and 1,000,000 messages. */
export async function measureLargeConta(): Promise<Section[]> {
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA: '10000' })
  try {
    const loja = await prepareContaWithBot(product, { logins: 5, menu: { digitando: false } })
    const start = performance.now()
    const etiqueta = await fill(product, loja)
    const seconds = (performance.now() - start) / 1_000
    const list = (query: string) => (): string => `/atendimento/conversas?mensagens=0&etiqueta=${etiqueta}${query}`
    const lines = [
      shown('rows generated and indexed in', figure(seconds, 's')),
      ...(await measureReads(loja, 'open conversations with a tag', 50, list(''))),
      ...(await measureReads(loja, 'finished conversations with a tag', 50, list('&status=finalizada'))),
      ...(await measureReads(
        loja,
        'waiting conversations with a tag of no operator',
        50,
        list('&status=aguardando&operador=ninguem'),
      )),
      ...(await measureReads(
        loja,
        'finished conversations with a tag of one operator',
        50,
        list('&status=finalizada&operador=eu'),
      )),
      ...(await measureReads(loja, 'contacts with a tag', 50, () => `/contatos?etiqueta=${etiqueta}`)),
      ...(await measureReads(
        loja,
        'contacts by a part of the name',
        50,
        (n) => `/contatos?busca=${encodeURIComponent(nameOf(n))}`,
      )),
    ]
    for (const [route, searches] of [
      ['/atendimento/busca', SEARCHES],
      ['/busca', ONE_SEARCH],
    ] as const) {
      for (const [name, words] of searches) {
        const path = (n: number): string => `${route}?q=${encodeURIComponent(words(n))}`
        lines.push(...(await measureReads(loja, name, 100, path)))
      }
    }
    return [
      {
        title: `People: one account with ${figure(CONVERSAS)} conversations and ${figure(MENSAGENS)} messages`,
        lines,
      },
      await measureImport(product, loja),
    ]
  } finally {
    await product.destroy()
  }
}

import { connectDirect, findEmbedded } from '@balcao/server/bench'
import { startProduct, type Product } from '@balcao/e2e/product.ts'
import { at, prepareContaWithBot, type ReadyConta, until } from '@balcao/e2e/ready-conta.ts'
import { median, percentile } from '../messages/meters.ts'
import { atMost, figure, type Line, type Section, shown } from '../report.ts'
import { measureImport } from './import.ts'
import { CONVERSAS, fillLargeConta, MENSAGENS, VOCABULARY } from './large-fill.ts'

const READS = 100
/** Places in the vocabulary: in most messages, in about one of 500, and in few. */
const FREQUENT = 3
const MEDIUM = 300
const RARE = 3_000
const SEARCHES: readonly (readonly [string, (n: number) => string])[] = [
  ['search, a frequent word', (n) => wordOf(FREQUENT + (n % 5))],
  ['search, two frequent words', (n) => `${wordOf(n % 10)} ${wordOf(10 + (n % 10))}`],
  ['search, a word of medium frequency', (n) => wordOf(MEDIUM + n)],
  ['search, a rare word', (n) => wordOf(RARE + n)],
  ['search, a rare word with a frequent one', (n) => `${wordOf(RARE + n)} ${wordOf(n % 10)}`],
  ['search, a word that is nowhere', (n) => `xeque${n}`],
]

const wordOf = (n: number): string => VOCABULARY[n] ?? ''

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
  const client = await connectDirect(target)
  try {
    const { rows } = await client.query<{ id: string }>(`select conta_id as id from etiquetas`)
    await fillLargeConta(client, rows[0]?.id ?? '', etiqueta)
    const indexed = 'select 1 from busca_contas where completa_em is not null'
    await until(async () => (await client.query(indexed)).rowCount === 1, 1_000)
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
      ...(await measureReads(loja, 'contacts with a tag', 50, () => `/contatos?etiqueta=${etiqueta}`)),
      ...(await measureReads(loja, 'contacts by a part of the name', 50, (n) => `/contatos?busca=${wordOf(n % 40)}`)),
    ]
    for (const [name, words] of SEARCHES) {
      const path = (n: number): string => `/atendimento/busca?q=${encodeURIComponent(words(n))}`
      lines.push(...(await measureReads(loja, name, 100, path)))
    }
    return [
      {
        titulo: `People: one account with ${figure(CONVERSAS)} conversations and ${figure(MENSAGENS)} messages`,
        linhas: lines,
      },
      await measureImport(product, loja),
    ]
  } finally {
    await product.destroy()
  }
}

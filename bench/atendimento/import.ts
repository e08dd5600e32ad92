import { createApiClient } from '@balcao/e2e/api.ts'
import { at, DONA, prepareContaWithBot, type ReadyConta } from '@balcao/e2e/ready-conta.ts'
import type { Product } from '@balcao/e2e/product.ts'
import { pause, percentile } from '../messages/meters.ts'
import { atMost, exactly, figure, type Section, shown } from '../report.ts'

const ROWS = 50_000
const INTERVAL_MS = 50
const ALONE_MS = 15_000

const CSV = [
  'Nome;Telefone;Observação',
  ...Array.from({ length: ROWS }, (_, n) => `Freguesa ${n};(21) 9${8_000_0000 + n};pede ${n % 7} pães`),
].join('\r\n')

async function importAll({ url }: Product, token: string, simular: boolean): Promise<unknown> {
  const form = new FormData()
  form.append('arquivo', new Blob([CSV], { type: 'text/csv' }), 'contatos.csv')
  const reply = await fetch(`${url}/api/contatos/importar?simular=${simular}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (!reply.ok) throw new Error(`import refused: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

/** Reads the list of another conta, 20 times a second, until `done`. Returns the milliseconds of each read. */
export async function readSteadily(url: string, { tokens }: ReadyConta, done: () => boolean): Promise<number[]> {
  const times: Promise<number>[] = []
  const api = createApiClient(url, tokens[0], 'aberta')
  const read = async (): Promise<number> => {
    const start = performance.now()
    await api.get('/atendimento/conversas')
    return performance.now() - start
  }
  while (!done()) {
    times.push(read())
    await pause(INTERVAL_MS)
  }
  return Promise.all(times)
}

/** Imports a file of the largest size while another conta works. */
export async function measureImport(product: Product, { tokens: [token = ''] }: ReadyConta): Promise<Section> {
  const other = await prepareContaWithBot(product, { dona: { ...DONA, email: 'outra@loja.test' } })
  const end = performance.now() + ALONE_MS
  const alone = await readSteadily(product.url, other, () => performance.now() > end)
  let busy = true
  const reads = readSteadily(product.url, other, () => !busy)
  const start = performance.now()
  await importAll(product, token, true)
  const previewed = performance.now()
  const first = await importAll(product, token, false)
  const imported = performance.now()
  const again = await importAll(product, token, false)
  busy = false
  const during = await reads
  return {
    title: `People: import of ${figure(ROWS)} contacts`,
    lines: [
      shown('preview', figure((previewed - start) / 1_000, 's')),
      atMost('import', (imported - previewed) / 1_000, 30, 's'),
      exactly('new contacts', Number(at(first, 'novos')), ROWS),
      exactly('contacts unchanged by the same file again', Number(at(again, 'iguais')), ROWS),
      shown("another account's list alone, p50", figure(percentile(alone, 50), 'ms')),
      shown("another account's list alone, p95", figure(percentile(alone, 95), 'ms')),
      atMost('the same during the import, p50, over alone', percentile(during, 50) / percentile(alone, 50), 1.2, '×'),
      shown('the same during the import, p95', figure(percentile(during, 95), 'ms')),
    ],
  }
}

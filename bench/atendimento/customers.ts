import { at, loginToApi, type ReadyConta, until } from '@balcao/e2e/ready-conta.ts'
import type { Product } from '@balcao/e2e/product.ts'

const LANES = 50

const customer = (n: number): { nome: string; telefone: string } => ({
  nome: `Cliente ${n}`,
  telefone: `+55119${String(20_000_000 + n)}`,
})

async function inParallel(total: number, lanes: number, task: (n: number) => Promise<void>): Promise<void> {
  let n = 0
  const via = async (): Promise<void> => {
    for (let vez = n++; vez < total; vez = n++) await task(vez)
  }
  await Promise.all(Array.from({ length: lanes }, via))
}

/** Customers ask for an operator through the bot. */
export async function fillWaiting({ apis: [api] }: ReadyConta, count: number): Promise<void> {
  if (api === undefined) throw new Error('login missing')
  await inParallel(count, LANES, async (n) => {
    await api.post('/simulador/mensagens', { ...customer(n), texto: 'atendente' })
  })
  const total = async (): Promise<unknown> => at(await api.get('/atendimento/estatisticas'), 'total')
  await until(async () => (await total()) === count, 1_000)
}

interface Operador {
  readonly id: string
  readonly token: string
}

export async function createOperadores(
  { url }: Product,
  { apis: [api] }: ReadyConta,
  count: number,
): Promise<Operador[]> {
  const operadores: Operador[] = []
  for (let n = 0; n < count; n += 1) {
    const [email, senha] = [`operador${n}@bench.local`, 'senha-do-operador-1']
    const created = await api?.post('/conta/operadores', { nome: `Operador ${n}`, email, senha, setores: [] })
    const { token } = await loginToApi(url, email, senha)
    operadores.push({ id: String(at(created, 'operador', 'id')), token })
  }
  return operadores
}

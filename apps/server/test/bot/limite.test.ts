import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type TestRuntime,
  connectBot,
  createTestRuntime,
  createCustomer,
  type TestNode,
  textsOf,
} from './test-runtime.ts'
import { waitUntil } from '#test/app.ts'

let runtime: TestRuntime
let no: TestNode

beforeAll(async () => {
  runtime = await createTestRuntime()
  no = await runtime.startNode('a')
})
afterAll(() => runtime.close())

interface Contagem {
  readonly enviadas: number
  readonly limite: number
  readonly recebidas: number
  readonly usadas: number
  readonly avisos: number
}

async function contagem(contaId: string): Promise<Contagem | undefined> {
  const { rows } = await runtime.database.owner.query<Contagem>(
    `select count(*) filter (where direcao = 'saida' and estado = 'enviada')::int as enviadas,
       count(*) filter (where estado = 'limite')::int as limite, count(*) filter (where direcao = 'entrada')::int as recebidas,
       (select usadas from uso_diario where conta_id = $1) as usadas,
       (select count(*) from logs where conta_id = $1 and mensagem like 'Limite diário%')::int as avisos
     from mensagens where conta_id = $1`,
    [contaId],
  )
  return rows[0]
}

describe('daily limit', () => {
  it('stays within the daily limit for two hundred parallel customers', async () => {
    const contaId = await runtime.givenConta((config) => config, 151)
    await connectBot(no, contaId)
    await runtime.database.owner.query(
      `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
       values (gen_random_uuid(), $1, 'Dona', 'dona@loja.test', 'usuario', 'ativo', 'x')`,
      [contaId],
    )
    const clientes = Array.from({ length: 200 }, () => createCustomer(no, contaId))
    await Promise.all(clientes.map((cliente) => cliente.says('oi')))
    await no.runtime.idle()
    // Each greeting is two messages: 151 are sent and 249 are stored with estado `limite`.
    expect(await contagem(contaId)).toEqual({ enviadas: 151, limite: 249, recebidas: 200, usadas: 151, avisos: 1 })
    expect(runtime.delivered.filter((received) => received.contaId === contaId)).toHaveLength(151)
    const avisos = await waitUntil(async () => {
      const { rows } = await runtime.database.owner.query<{ chave: string }>(
        'select chave from emails where conta_id = $1 order by chave',
        [contaId],
      )
      return rows.length === 2 ? rows : null
    })
    expect(avisos.map(({ chave }) => chave.split(':')[0])).toEqual(['limite100', 'limite80'])
  })

  it('counts the joined messages of one turn once', async () => {
    const contaId = await runtime.givenConta(
      (config) => ({ ...config, menu: { ...config.menu, juntarMensagens: 'sempre' } }),
      1,
    )
    await connectBot(no, contaId)
    await createCustomer(no, contaId).says('oi')
    await no.runtime.idle()
    expect(await contagem(contaId)).toMatchObject({ enviadas: 1, limite: 0, usadas: 1 })
    const [greeting] = runtime.delivered.filter((received) => received.contaId === contaId)
    expect(greeting?.texto).toMatch(/^OLA [^]*\n\nMENU\n1 - Hor[^]*0 - Sair$/)
  })

  it('queues the limit e-mail after a process died before queueing it', async () => {
    const atento = await runtime.startNode('atento', { timings: { notifyMs: 50 } })
    const contaId = await runtime.givenConta((config) => config, 5)
    await runtime.database.owner.query(
      `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
       values (gen_random_uuid(), $1, 'Rui', 'rui@loja.test', 'usuario', 'ativo', 'x')`,
      [contaId],
    )
    // The state after a crash: counted and committed, no e-mail.
    await runtime.database.owner.query(
      `insert into uso_diario (conta_id, dia, usadas, total) select id, (now() at time zone fuso)::date, 4, 4 from contas where id = $1`,
      [contaId],
    )
    const keys = async (): Promise<string[]> => {
      const { rows } = await runtime.database.owner.query<{ chave: string }>(
        'select chave from emails where conta_id = $1',
        [contaId],
      )
      return rows.map(({ chave }) => chave.split(':')[0] ?? '')
    }
    await waitUntil(async () => (await keys()).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await keys()).toEqual(['limite80'])
    await atento.stop()
  })

  it('sends the part of an answer that fits and applies a raised limit immediately', async () => {
    const contaId = await runtime.givenConta((config) => config, 1)
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    await ana.says('1')
    await no.runtime.idle()
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana'])
    await runtime.database.owner.query('update contas set limite_mensagens_dia = 5 where id = $1', [contaId])
    no.runtime.bots.contextChanged(contaId)
    await ana.says('3')
    await no.runtime.idle()
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana', 'ECO'])
    expect(await contagem(contaId)).toEqual({ enviadas: 2, limite: 2, recebidas: 3, usadas: 2, avisos: 1 })
  })

  it('counts messages of an unlimited conta and never refuses', async () => {
    const contaId = await runtime.givenConta((config) => config, 1)
    await runtime.database.owner.query('update contas set sem_limite = true where id = $1', [contaId])
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    await ana.says('1')
    await no.runtime.idle()
    expect(await contagem(contaId)).toEqual({ enviadas: 3, limite: 0, recebidas: 2, usadas: 3, avisos: 0 })
  })
})

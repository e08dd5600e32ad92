import { randomUUID } from 'node:crypto'
import { SendRefused } from '@balcao/connector/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLine } from '#db/statement/line.ts'
import { listStatements } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { createBotRuntime } from '#bot/runtime.ts'
import {
  type TestRuntime,
  connectBot,
  createTestNode,
  createTestRuntime,
  createCustomer,
  giveBotTo,
  startIdleNode,
  type TestNode,
  textsOf,
  MUTE_BUS,
} from './test-runtime.ts'
import { listBehind } from '#modules/mensagens/index.ts'
import { explained, mostRead } from '#test/explained.ts'
import { waitUntil } from '#test/app.ts'

let runtime: TestRuntime
const MENU = 'MENU\n1 - Horários\n2 - Atendente\n3 - Eco\n0 - Sair'

beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

async function estados(contaId: string): Promise<{ texto: string; estado: string; presa: boolean }[]> {
  const { rows } = await runtime.database.owner.query<{ texto: string; estado: string; presa: boolean }>(
    `select m.texto, m.estado, exists (select 1 from saida s where s.conta_id = m.conta_id and s.mensagem_id = m.id) as presa
     from mensagens m where m.conta_id = $1 and m.direcao = 'saida' order by m.id`,
    [contaId],
  )
  return rows
}

const QUEM = (contaId: string) => ({ usuarioId: contaId, contaId, nome: 'Ana', email: 'ana@loja.test', ip: '' })

describe('SendQueue', () => {
  it('retries failed sends in order and marks them sent', async () => {
    const no = await runtime.startNode('repete')
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await no.runtime.simulador.failSends(firstLine(contaId), 3)
    await ana.says('oi')
    await ana.says('1')
    await waitUntil(() => textsOf(runtime, ana.phone).length === 3)
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana', MENU, 'HORARIOS'])
    await no.runtime.idle()
    expect(await estados(contaId)).toEqual([
      { texto: 'OLA Ana', estado: 'enviada', presa: false },
      { texto: MENU, estado: 'enviada', presa: false },
      { texto: 'HORARIOS', estado: 'enviada', presa: false },
    ])
    await no.stop()
  })

  it('fails a message after its last attempt and sends the next one', async () => {
    const no = await runtime.startNode('falha')
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await no.runtime.simulador.failSends(firstLine(contaId), 5)
    await ana.says('oi')
    await waitUntil(() => textsOf(runtime, ana.phone).length === 1)
    expect(textsOf(runtime, ana.phone)).toEqual([MENU])
    await no.runtime.idle()
    expect(await estados(contaId)).toEqual([
      { texto: 'OLA Ana', estado: 'falhou', presa: false },
      { texto: MENU, estado: 'enviada', presa: false },
    ])
    const failed = await waitUntil(
      () =>
        runtime.published.find(
          ({ contaId: de, event, payload }) =>
            de === contaId && event === 'botMensagem' && payload['estado'] === 'falhou',
        ) ?? null,
    )
    expect(failed.payload).toMatchObject({ conteudo: 'OLA Ana', telefone: ana.phone })
    await no.stop()
  })

  it('shows failures in Portuguese without errors of libraries', async () => {
    const contaId = await runtime.givenConta()
    const no = await runtime.startNode('muda', {
      connector: (base) => ({ ...base, send: () => Promise.reject(new Error('fetch failed')) }),
    })
    await connectBot(no, contaId)
    await createCustomer(no, contaId).says('oi')
    const errors = async (): Promise<unknown[]> => {
      const { rows } = await runtime.database.owner.query(
        "select erro from mensagens where conta_id = $1 and estado = 'falhou'",
        [contaId],
      )
      return rows.map(({ erro }) => erro)
    }
    const sentence = 'o serviço de mensagens não levou esta mensagem'
    await waitUntil(async () => (await errors()).length === 2)
    expect(await errors()).toEqual([sentence, sentence])
    await no.stop()
  })

  it('sends to one contato while another one cannot be reached', async () => {
    const contaId = await runtime.givenConta()
    let release = (): void => {}
    const stuck = new Promise<void>((resolve) => (release = resolve))
    let slow = ''
    const no = await runtime.startNode('lenta', {
      connector: (base) => ({
        ...base,
        send: async (mensagem) => {
          if (mensagem.endereco === slow) await stuck
          await base.send(mensagem)
        },
      }),
    })
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    const bia = createCustomer(no, contaId)
    slow = ana.phone
    await ana.says('oi')
    await bia.says('oi')
    await waitUntil(() => textsOf(runtime, bia.phone).length === 2)
    expect(textsOf(runtime, ana.phone)).toEqual([])
    release()
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
    await no.stop()
  })

  it('holds messages while the link is down and sends them after reconnect', async () => {
    const no = await runtime.startNode('cai')
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    await no.runtime.idle()
    await no.runtime.simulador.disconnect(firstLine(contaId))
    const caiu = await no.runtime.bots.status(firstLine(contaId))
    expect(caiu).toMatchObject({ status: 'PARADO', motivo: 'desconectadoNoCelular', isRunning: false, qrCode: null })
    await expect(ana.says('1')).rejects.toMatchObject({ codigo: 'botDesconectado' })
    // A service can deliver messages while the link is down. The answer waits.
    await no.runtime.receive(firstLine(contaId), 'simulador', {
      id: 'tardia',
      endereco: ana.phone,
      telefone: ana.phone,
      nome: 'Ana',
      texto: '1',
      enviadaEm: new Date(),
    })
    expect(await estados(contaId)).toContainEqual({ texto: 'HORARIOS', estado: 'enviada', presa: true })
    await connectBot(no, contaId)
    await waitUntil(() => textsOf(runtime, ana.phone).includes('HORARIOS'))
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana', MENU, 'HORARIOS'])
    await no.stop()
  })
})

/** Runs `work` while another transaction has locked these rows of a conta. */
async function whileLocked(
  { database }: TestRuntime,
  [table, contaId]: readonly ['saida' | 'mensagens', string],
  work: () => Promise<void>,
): Promise<void> {
  const client = await database.owner.connect()
  try {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    await client.query(`select from ${table} where conta_id = $1 for update`, [contaId])
    await work()
  } finally {
    client.release(true)
  }
}

describe('a conta whose messages are locked', () => {
  let runtime: TestRuntime
  beforeAll(async () => {
    runtime = await createTestRuntime({ comPrazos: true })
  })
  afterAll(() => runtime.close())
  const waitingIn = async (contaId: string): Promise<number> =>
    (await runtime.database.owner.query('select from saida where conta_id = $1', [contaId])).rowCount ?? 0

  it('does not keep the sent messages of another conta waiting', async () => {
    const [locked, free] = [await runtime.givenConta(), await runtime.givenConta()]
    const { promise: stuck, resolve: release } = Promise.withResolvers<void>()
    const no = await runtime.startNode('presa', {
      connector: (base) => ({
        ...base,
        send: async (mensagem) => {
          await stuck
          await base.send(mensagem)
        },
      }),
    })
    for (const contaId of [locked, free]) {
      await connectBot(no, contaId)
      await createCustomer(no, contaId).says('oi')
      await waitUntil(async () => (await waitingIn(contaId)) > 0)
    }
    await whileLocked(runtime, ['saida', locked], async () => {
      release()
      await waitUntil(async () => (await waitingIn(free)) === 0, 15_000)
      expect(await waitingIn(locked)).toBeGreaterThan(0)
    })
    await waitUntil(async () => (await waitingIn(locked)) === 0)
    await no.stop()
  })

  it('does not keep the expired messages of another conta waiting', async () => {
    const [locked, free] = [await runtime.givenConta(), await runtime.givenConta()]
    const no = await runtime.startNode('vencida', {
      timings: { expireMs: 100 },
      connector: (base) => ({ ...base, send: () => new Promise(() => undefined) }),
    })
    for (const contaId of [locked, free]) {
      await connectBot(no, contaId)
      await createCustomer(no, contaId).says('oi')
      await waitUntil(async () => (await waitingIn(contaId)) > 0)
    }
    const expire = (contaId: string, hours: number): Promise<unknown> =>
      runtime.database.owner.query(
        'update saida set vence_em = now() - make_interval(hours => $2) where conta_id = $1',
        [contaId, hours],
      )
    // The locked conta is first in the order of expiry.
    await whileLocked(runtime, ['mensagens', locked], async () => {
      await expire(locked, 3)
      await expire(free, 2)
      await waitUntil(async () => (await waitingIn(free)) === 0, 15_000)
    })
    await waitUntil(async () => (await waitingIn(locked)) === 0)
    await no.stop()
  })
})

describe('listBehind', () => {
  it('reads each waiting message of a long backlog once, without statistics of its tables', async () => {
    const no = await runtime.startNode('atras')
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const [contatos, each] = [250, 8]
    await runtime.database.owner.query(
      `with c as (
         insert into contatos (conta_id, id, nome, telefone, endereco)
         select $1, gen_random_uuid(), 'C' || n, n::text, n::text from generate_series(1, $2::int) n returning id
       ), v as (
         insert into conversas (conta_id, id, contato_id, status, iniciada_em, ultima_atividade)
         select $1, gen_random_uuid(), id, 'bot', now(), now() from c returning id, contato_id
       ), m as (
         insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, simulada, criada_em)
         select $1, gen_random_uuid(), v.id, 'saida', 'bot', 'oi', 'simulador', 'enviada', false, now()
         from v cross join generate_series(1, $3::int) returning id, conversa_id
       )
       insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, vence_em)
       select $1, m.id, v.contato_id, 'x', '{}', m.id::text, now() + interval '1 hour'
       from m join v on v.id = m.conversa_id`,
      [contaId, contatos, each],
    )
    const { rows: bots } = await runtime.database.owner.query<{ no: string; epoca: number }>(
      'select no, epoca from bots where conta_id = $1',
      [contaId],
    )
    const [bot] = bots
    const { rows: firsts } = await runtime.database.owner.query<{ id: string }>(
      'select distinct on (contato_id) mensagem_id as id from saida where conta_id = $1',
      [contaId],
    )
    const plans: unknown[] = []
    const wanted = { now: new Date(), ids: firsts.map(({ id }) => id) }
    const lease = { ...firstLine(contaId), no: bot?.no ?? '', epoca: bot?.epoca ?? 0 }
    const read = (tx: Tx): ReturnType<typeof listBehind> => listBehind(explained(tx, plans), lease, wanted)
    const rows = await no.deps.db.read(contaId, read, { planner: 'indexes' })
    expect(rows).toHaveLength(contatos * each)
    expect(plans.map(mostRead)).toEqual([contatos * each])
    await no.stop()
  })
})

describe('SentMarker', () => {
  it('uses an index lookup even when statistics show an empty table', async () => {
    const { owner } = runtime.database
    await owner.query('vacuum analyze saida')
    const text = listStatements().find(({ name }) => name === 'saida-marcada')?.text
    await owner.query(
      `set plan_cache_mode = force_generic_plan; set enable_seqscan = off; prepare marcar (uuid, uuid[]) as ${text}`,
    )
    const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
      `explain execute marcar ('${randomUUID()}', '{${randomUUID()},${randomUUID()}}')`,
    )
    await owner.query('deallocate marcar; reset plan_cache_mode; reset enable_seqscan')
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(
      /Index Cond: \(\(conta_id = \$1\) AND \(mensagem_id = ANY/,
    )
  })
})

describe('two nodes on one database', () => {
  const falar = (no: TestNode, contaId: string): Promise<void> => createCustomer(no, contaId).says('oi')

  it('runs each bot on one node, which also sends answers created elsewhere', async () => {
    const a = await runtime.startNode('A')
    const contaId = await runtime.givenConta()
    await connectBot(a, contaId)
    // Started only now, because it searches for free bots and could have taken this one.
    const b = await runtime.startNode('B')
    await b.runtime.bots.start(firstLine(contaId))
    await Promise.all([falar(a, contaId), falar(b, contaId), falar(b, contaId)])
    const daqui = await waitUntil(() => {
      const todas = runtime.delivered.filter((received) => received.contaId === contaId)
      return todas.length === 6 ? todas : null
    })
    expect(daqui.map(({ node }) => node)).toEqual(Array.from({ length: 6 }, () => 'A'))
    await a.stop()
    await b.stop()
  })

  it('moves a bot to the other node on stop without a new scan', async () => {
    const a = await runtime.startNode('A2')
    const contaId = await runtime.givenConta()
    await connectBot(a, contaId)
    const b = await runtime.startNode('B2')
    await a.stop()
    await waitUntil(async () => (await b.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    await falar(b, contaId)
    await waitUntil(() => runtime.delivered.filter((uma) => uma.contaId === contaId && uma.node === 'B2').length === 2)
    await b.stop()
  })

  it('leaves a bot wanted when its node stops while taking leases', async () => {
    const [a, contaId] = [await runtime.startNode('comecou'), await runtime.givenConta()]
    await a.runtime.bots.start(firstLine(contaId))
    await a.stop()
    const fleet = createTestNode(a.deps, { exclusive: false, sessions: () => [] })
    await fleet.join()
    const interrompido = createBotRuntime({ ...a.deps, fleet })
    await Promise.all([interrompido.start(), interrompido.stop()])
    const b = await runtime.startNode('continua')
    await waitUntil(async () => (await b.runtime.bots.status(firstLine(contaId))).status === 'AGUARDANDO_QR')
    await b.stop()
  })

  it('sends and writes nothing after another node took the lease', async () => {
    const a = await runtime.startNode('A3')
    const contaId = await runtime.givenConta()
    await connectBot(a, contaId)
    const outro = await startIdleNode(runtime)
    await giveBotTo(runtime.database, contaId, outro)
    await waitUntil(async () => {
      const entered = await falar(a, contaId).then(
        () => true,
        () => false,
      )
      const { rows } = await runtime.database.owner.query('select 1 from saida where conta_id = $1', [contaId])
      return entered && rows.length >= 2
    })
    const before = runtime.delivered.filter((received) => received.contaId === contaId).length
    // A round may have ended the session already.
    await a.runtime.simulador.disconnect(firstLine(contaId)).catch(() => undefined)
    const { rows } = await runtime.database.owner.query('select no, status, desejado from bots where conta_id = $1', [
      contaId,
    ])
    expect(rows).toEqual([{ no: outro, status: 'CONECTADO', desejado: true }])
    expect(runtime.delivered.filter((received) => received.contaId === contaId)).toHaveLength(before)
    await a.stop()
  })

  it.each([
    ['postpones', new Error('the network failed')],
    ['fails', new SendRefused('número inválido')],
  ])('never %s a message after another node took the lease', async (_what, failure) => {
    const sending = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const a = await runtime.startNode('A5', {
      connector: (base) => ({
        ...base,
        send: async () => {
          sending.resolve()
          await release.promise
          throw failure
        },
      }),
    })
    const contaId = await runtime.givenConta()
    await connectBot(a, contaId)
    await falar(a, contaId)
    await sending.promise
    await giveBotTo(runtime.database, contaId, await startIdleNode(runtime))
    release.resolve()
    await a.stop()
    const { rows } = await runtime.database.owner.query(
      `select s.tentativas, m.estado from saida s join mensagens m on m.conta_id = s.conta_id and m.id = s.mensagem_id
       where s.conta_id = $1`,
      [contaId],
    )
    expect(rows).toEqual([
      { tentativas: 0, estado: 'enviada' },
      { tentativas: 0, estado: 'enviada' },
    ])
  })

  it('sorts new messages last after a restart with the clock an hour behind', async () => {
    const a = await runtime.startNode('adiantado')
    const contaId = await runtime.givenConta()
    await connectBot(a, contaId)
    const ana = createCustomer(a, contaId)
    await ana.says('oi')
    await a.stop()
    const b = await runtime.startNode('atrasado', { behindMs: 3_600_000 })
    await waitUntil(async () => (await b.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    const asked = { id: 'depois', endereco: ana.phone, telefone: ana.phone, nome: 'Ana', texto: '3' }
    await b.runtime.simulador.receive(firstLine(contaId), { ...asked, enviadaEm: new Date() })
    await b.stop()
    const { rows } = await runtime.database.owner.query<{ texto: string }>(
      'select texto from mensagens where conta_id = $1 order by id',
      [contaId],
    )
    expect(rows.map(({ texto }) => texto)).toEqual(['oi', 'OLA Ana', MENU, '3', 'ECO'])
  })

  it('stops a bot from any node immediately', async () => {
    const a = await runtime.startNode('A4')
    const contaId = await runtime.givenConta()
    await connectBot(a, contaId)
    const b = await runtime.startNode('B4')
    expect((await b.runtime.bots.stop(firstLine(contaId))).status).toBe('PARADO')
    await expect(falar(b, contaId)).rejects.toMatchObject({ codigo: 'botDesconectado' })
    await waitUntil(async () =>
      falar(a, contaId).then(
        () => false,
        () => true,
      ),
    )
    await b.runtime.bots.start(firstLine(contaId))
    await waitUntil(async () => (await b.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    await a.runtime.bots.clearSession(firstLine(contaId), QUEM(contaId))
    await a.runtime.bots.start(firstLine(contaId))
    await waitUntil(async () => (await a.runtime.bots.status(firstLine(contaId))).status === 'AGUARDANDO_QR')
    await a.stop()
    await b.stop()
  })
})

describe('bot restarted by another node', () => {
  it('restarts the session at the next round when bus events are lost', async () => {
    const dono = await runtime.startNode('A5', { bus: MUTE_BUS })
    const other = await runtime.startNode('B5', { bus: MUTE_BUS, timings: { searchMs: 3_600_000 } })
    const contaId = await runtime.givenConta()
    await connectBot(dono, contaId)
    await other.runtime.bots.clearSession(firstLine(contaId), QUEM(contaId))
    expect((await other.runtime.bots.start(firstLine(contaId))).status).toBe('INICIALIZANDO')
    await waitUntil(async () => (await other.runtime.bots.status(firstLine(contaId))).status === 'AGUARDANDO_QR')
    await dono.stop()
    await other.stop()
  })
})

describe('disconnected bot', () => {
  it('sends the owner one e-mail after five minutes without connection', async () => {
    const no = await runtime.startNode('avisa', { timings: { notifyMs: 50 } })
    const contaId = await runtime.givenConta()
    await runtime.database.owner.query(
      `insert into usuarios (id, conta_id, nome, email, tipo, status, senha_hash)
       values (gen_random_uuid(), $1, 'Dona', 'dona@loja.test', 'usuario', 'ativo', 'x')`,
      [contaId],
    )
    await connectBot(no, contaId)
    await no.runtime.simulador.disconnect(firstLine(contaId))
    const emails = async (): Promise<unknown[]> => {
      const { rows } = await runtime.database.owner.query(`select para from emails where conta_id = $1`, [contaId])
      return rows
    }
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await emails()).toEqual([])
    await runtime.database.owner.query(
      `update bots set desconectado_desde = desconectado_desde - interval '6 minutes' where conta_id = $1`,
      [contaId],
    )
    await waitUntil(async () => (await emails()).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await emails()).toEqual([{ para: 'dona@loja.test' }])
    await no.stop()
  })
})

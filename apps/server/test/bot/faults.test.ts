import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryBus } from '#adapters/bus.ts'
import { NODES_CHANNEL } from '#bot/session/ask-owner.ts'
import { AppError } from '#errors.ts'
import {
  type TestNode,
  type TestRuntime,
  connectBot,
  createTestRuntime,
  createCustomer,
  textsOf,
  insertDeadNode,
  MUTE_BUS,
  startIdleNode,
} from './test-runtime.ts'
import type { SessionHost } from '@balcao/connector/port'
import { createDelayedDatabase, createLossyDatabase } from './delayed-database.ts'
import { waitUntil } from '#test/app.ts'
import { firstLine } from '#db/statement/line.ts'

const NUNCA = 3_600_000
let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})
afterAll(() => runtime.close())

/** Renames the table while `durante` runs, so that all queries on it fail. */
async function semTabela(table: string, durante: () => Promise<unknown>): Promise<void> {
  await runtime.database.owner.query(`alter table ${table} rename to ${table}_fora`)
  try {
    await durante()
  } finally {
    await runtime.database.owner.query(`alter table ${table}_fora rename to ${table}`)
  }
}

const pause = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

/** The AI answers messages with "quanto". */
async function givenContaWithAi({ deps }: TestNode): Promise<string> {
  const contaId = await runtime.givenConta((config) => ({
    ...config,
    ia: { ...config.ia, ativa: true, esperaSegundos: 0, gatilhos: ['quanto'] },
  }))
  const key = deps.vault.seal('chave', `configuracoes|dados.gemini.apiKey|${contaId}|config`)
  await runtime.database.owner.query(
    `update configuracoes set dados = jsonb_set(dados, '{gemini,apiKey}', to_jsonb($2::text)) where conta_id = $1`,
    [contaId, key],
  )
  return contaId
}

describe('SessionHost.linkState', () => {
  it('publishes each new reason of a reconnect', async () => {
    let host: SessionHost | undefined
    const no = await runtime.startNode('cai', {
      connector: (connector, _contaId, deste) => {
        host = deste
        return connector
      },
    })
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    for (const motivo of ['substituido', 'semRede'] as const) await host?.linkState({ tipo: 'reconectando', motivo })
    const counted = runtime.published.filter((um) => um.contaId === contaId && um.event === 'botStatus')
    expect(counted.slice(-2).map(({ payload }) => payload['motivo'])).toEqual(['substituido', 'semRede'])
    await no.stop()
  })
})

describe('database failure', () => {
  it.each(['logs', 'saida'])('connects after a short failure of the table %s', async (table) => {
    const no = await runtime.startNode(`conecta-sem-${table}`, { timings: { renewMs: NUNCA, searchMs: NUNCA } })
    const contaId = await runtime.givenConta()
    await no.runtime.bots.start(firstLine(contaId))
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'AGUARDANDO_QR')
    let escaneado: Promise<unknown> = Promise.resolve()
    await semTabela(table, async () => {
      escaneado = no.runtime.simulador.scan(firstLine(contaId))
      await Promise.race([escaneado, pause(300)]).catch(() => undefined)
    })
    await escaneado
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
    await no.runtime.simulador.disconnect(firstLine(contaId))
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'PARADO')
    await no.stop()
  })

  it('allows another scan after a failed one, here or from another node', async () => {
    const nunca = { renewMs: NUNCA, searchMs: NUNCA }
    const demora = createDelayedDatabase('update linhas_bots set credenciais', 'antes')
    const no = await runtime.startNode('escaneia', { timings: nunca, db: demora.db })
    const other = await runtime.startNode('escaneia-2', { timings: nunca })
    const contaId = await runtime.givenConta()
    await no.runtime.bots.start(firstLine(contaId))
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'AGUARDANDO_QR')
    for (const ask of [other, no]) {
      const stuck = demora.hold()
      const requested = ask.runtime.simulador.scan(firstLine(contaId)).then(
        () => 'pedida',
        () => 'recusada',
      )
      await stuck
      await demora.loseConnection()
      expect(await requested).toBe(ask === no ? 'recusada' : 'pedida')
    }
    await no.runtime.simulador.scan(firstLine(contaId))
    expect((await no.runtime.bots.status(firstLine(contaId))).status).toBe('CONECTADO')
    await no.stop()
    await other.stop()
  })

  it('retries a bot whose start failed', async () => {
    let faltam = 1
    const no = await runtime.startNode('comeca-mal', {
      timings: { renewMs: 50, searchMs: 50 },
      connector: (base) => ({
        ...base,
        start: () => (faltam-- > 0 ? Promise.reject(new Error('database unavailable')) : base.start()),
      }),
    })
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    await no.stop()
  })

  it('isolates permanent read errors of one conta from its bot and other contas', async () => {
    const no = await runtime.startNode('linha-ruim', { timings: { renewMs: 50, searchMs: NUNCA } })
    const [ruim, boa] = [await runtime.givenConta(), await runtime.givenConta()]
    const ana = createCustomer(no, ruim)
    const bia = createCustomer(no, boa)
    for (const [contaId, cliente] of [
      [ruim, ana],
      [boa, bia],
    ] as const) {
      await connectBot(no, contaId)
      await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
      await cliente.says('oi')
    }
    await no.runtime.idle()
    // Queued by another node a minute ago. The media of one message is invalid.
    await runtime.database.owner.query(
      `with m as (
         insert into mensagens select (jsonb_populate_record(m, jsonb_build_object(
           'id', gen_random_uuid(), 'midia', case when conta_id = $1 then '{"tipo":"?"}'::jsonb end, 'texto', 'PROMETIDA'))).*
         from mensagens m where m.direcao = 'saida' and m.texto like 'OLA%' and m.conta_id in ($1, $2) returning *)
       insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, proxima_em)
       select m.conta_id, m.id, c.id, c.endereco, '{}', m.id, now() - interval '1 minute'
       from m join contatos c on c.conta_id = m.conta_id`,
      [ruim, boa],
    )
    await waitUntil(() => textsOf(runtime, bia.phone).includes('PROMETIDA'))
    await no.runtime.bots.stop(firstLine(ruim))
    await no.runtime.bots.start(firstLine(ruim))
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(ruim))).status === 'CONECTADO')
    await ana.says('1')
    await waitUntil(() => textsOf(runtime, ana.phone).includes('HORARIOS'))
    await waitUntil(() => no.runtime.bots.leasesAlive())
    // A later node that starts this bot retries the read for 2 s.
    await no.runtime.bots.stop(firstLine(ruim))
    await no.stop()
  })
})

describe('locked contatos', () => {
  const LOCKED_MS = 3_000

  it('delay no other conta, lose nothing and keep the order of their messages', async () => {
    const no = await runtime.startNode('travados', { timings: { searchMs: NUNCA } })
    const [locked, other] = [await runtime.givenConta(), await runtime.givenConta()]
    for (const contaId of [locked, other]) {
      await connectBot(no, contaId)
      await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    }
    const customers = Array.from({ length: 60 }, (_, n) => createCustomer(no, locked, `Preso ${n}`))
    const bia = createCustomer(no, other, 'Bia')
    await Promise.all([...customers, bia].map((customer) => customer.says('oi')))
    await no.runtime.idle()

    // An import holds the contatos that it changes, and the new ones that it creates.
    const blocker = await runtime.database.owner.connect()
    const unknown = createCustomer(no, locked, 'Nova')
    await blocker.query('begin')
    await blocker.query('select 1 from contatos where conta_id = $1 for update', [locked])
    await blocker.query(
      'insert into enderecos (conta_id, endereco, contato_id) select conta_id, $2, id from contatos where conta_id = $1 limit 1',
      [locked, `tel:${unknown.phone}`],
    )
    const waiting = customers.map(async (customer) => Promise.all([customer.says('1'), customer.says('menu')]))
    const created = unknown.says('oi')
    const times: number[] = []
    const begun = performance.now()
    while (performance.now() - begun < LOCKED_MS) {
      const start = performance.now()
      await bia.says('1')
      times.push(performance.now() - start)
    }
    await blocker.query('rollback')
    blocker.release()
    await Promise.all([...waiting, created])
    await no.runtime.idle()

    // The first batches contain both contas and wait for the new contato for half a second.
    expect(percentile(times, 0.95)).toBeLessThan(1_000)
    expect(times.length).toBeGreaterThan(5)
    for (const { phone } of customers) {
      await waitUntil(() => textsOf(runtime, phone).length === 4)
      expect(textsOf(runtime, phone).slice(2)).toEqual(['HORARIOS', expect.stringMatching(/^MENU/)])
    }
    await waitUntil(() => textsOf(runtime, unknown.phone).length === 2)
    await no.stop()
  })

  it('rests the sent marks of a conta with locked messages, and marks those of others', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const held = new Set<string>()
    const no = await runtime.startNode('marcas', {
      timings: { searchMs: NUNCA },
      connector: (base, contaId) => ({
        ...base,
        send: async (message) => {
          if (held.has(contaId)) await released
          return base.send(message)
        },
      }),
    })
    const [locked, other] = [await runtime.givenConta(), await runtime.givenConta()]
    for (const contaId of [locked, other]) {
      await connectBot(no, contaId)
      await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    }
    held.add(locked)
    const [ana, bia] = [createCustomer(no, locked), createCustomer(no, other)]
    const unsent = async (contaId: string): Promise<number | null> =>
      (await runtime.database.owner.query('select 1 from saida where conta_id = $1', [contaId])).rowCount
    await ana.says('oi')
    const blocker = await runtime.database.owner.connect()
    await blocker.query('begin')
    expect((await blocker.query('select 1 from saida where conta_id = $1 for update', [locked])).rowCount).toBe(2)
    release()
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
    await bia.says('oi')
    await waitUntil(async () => textsOf(runtime, bia.phone).length === 2 && (await unsent(other)) === 0)
    expect(await unsent(locked)).toBe(2)
    await blocker.query('rollback')
    blocker.release()
    await waitUntil(async () => (await unsent(locked)) === 0)
    await no.stop()
  })
})

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Infinity
}

describe('lost answer of a commit', () => {
  it('asks the AI and disconnects the browsers when a stored batch is repeated', async () => {
    const lossy = createLossyDatabase('insert into perguntas_ia')
    const no = await runtime.startNode('commit-perdido', {
      timings: { searchMs: NUNCA },
      db: lossy.db,
      ai: { answer: ({ pergunta }) => Promise.resolve({ tipo: 'texto', texto: `IA: ${pergunta}` }) },
    })
    const contaId = await givenContaWithAi(no)
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    lossy.loseNext()
    await expect(ana.says('quanto custa', 'repetida')).rejects.toThrow('connection lost')
    expect(runtime.disconnected).toEqual([contaId])
    await ana.says('quanto custa', 'repetida')
    await runtime.database.owner.query(
      `update perguntas_ia set perguntar_em = now() - interval '61 seconds' where conta_id = $1`,
      [contaId],
    )
    await waitUntil(() => textsOf(runtime, ana.phone).includes('IA: quanto custa'))
    await no.stop()
  })
})

describe('late answers', () => {
  it('keeps a newer session when a late read reports the old lease', async () => {
    const demora = createDelayedDatabase('select conta_id, linha_id, no, epoca, desejado', 'depois')
    const no = await runtime.startNode('renova-tarde', { timings: { renewMs: 50, searchMs: NUNCA }, db: demora.db })
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    await demora.hold()
    await no.runtime.bots.stop(firstLine(contaId))
    await no.runtime.bots.start(firstLine(contaId))
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    await demora.release()
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
    await no.stop()
  })

  it('applies other stop requests while one link closes slowly', async () => {
    const { promise: closed, resolve: fechar } = Promise.withResolvers<void>()
    const lentas: string[] = []
    const no = await runtime.startNode('fecha-devagar', {
      bus: MUTE_BUS,
      timings: { renewMs: 50, searchMs: NUNCA },
      connector: (base, contaId) => ({ ...base, stop: () => (lentas.includes(contaId) ? closed : base.stop()) }),
    })
    const other = await runtime.startNode('fecha-devagar-2', {
      bus: MUTE_BUS,
      timings: { renewMs: NUNCA, searchMs: NUNCA },
    })
    const [slow, outra] = [await runtime.givenConta(), await runtime.givenConta()]
    lentas.push(slow)
    for (const contaId of [slow, outra]) {
      await connectBot(no, contaId)
      await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'CONECTADO')
    }
    const stuck = async (contaId: string): Promise<boolean> =>
      (await runtime.database.owner.query('select from bots where conta_id = $1 and no is not null', [contaId]))
        .rowCount === 1
    await other.runtime.bots.stop(firstLine(slow))
    await pause(300)
    await other.runtime.bots.stop(firstLine(outra))
    await waitUntil(async () => !(await stuck(outra)))
    expect(await stuck(slow)).toBe(true)
    fechar()
    await waitUntil(async () => !(await stuck(slow)))
    await no.stop()
    await other.stop()
  })

  it('sends messages once that a late read of saida returns after they left', async () => {
    const commit = createDelayedDatabase('insert into mensagens', 'depois')
    const read = createDelayedDatabase('mensagem_id = any', 'depois')
    const no = await runtime.startNode('lista-tarde', {
      timings: { renewMs: NUNCA, searchMs: NUNCA },
      db: (db) => read.db(commit.db(db)),
    })
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    const committed = commit.hold()
    const said = ana.says('oi')
    await committed
    const isRead = read.hold()
    const notice = { tipo: 'botChanged', contaId }
    no.deps.bus.publish(NODES_CHANNEL, JSON.stringify({ packet: 'notice', notice }))
    await isRead
    await commit.release()
    await said
    await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
    await no.runtime.idle()
    await read.release()
    await ana.says('1')
    await waitUntil(() => textsOf(runtime, ana.phone).includes('HORARIOS'))
    expect(textsOf(runtime, ana.phone).map((text) => text.split('\n')[0])).toEqual(['OLA Ana', 'MENU', 'HORARIOS'])
    await no.stop()
  })

  it('keeps the newer question when the older one fails late', async () => {
    const demora = createDelayedDatabase('join perguntas_ia p on', 'antes')
    const { promise: pensada, resolve: reply } = Promise.withResolvers<void>()
    const perguntadas: string[] = []
    const no = await runtime.startNode('pergunta-tarde', {
      timings: { renewMs: NUNCA, searchMs: NUNCA },
      db: demora.db,
      ai: {
        answer: async ({ pergunta }) => {
          perguntadas.push(pergunta)
          await pensada
          return { tipo: 'texto', texto: `IA: ${pergunta}` }
        },
      },
    })
    const contaId = await givenContaWithAi(no)
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    const stuck = demora.hold()
    await ana.says('quanto custa')
    await stuck
    await ana.says('a caneca azul?')
    await waitUntil(() => perguntadas.length === 1)
    await demora.loseConnection()
    reply()
    await waitUntil(() => textsOf(runtime, ana.phone).includes('IA: quanto custa\na caneca azul?'))
    await no.stop()
  })

  it('publishes no outdated status after a newer one', async () => {
    const demora = createDelayedDatabase('from logs where', 'depois')
    const no = await runtime.startNode('status-tarde', { timings: { renewMs: NUNCA, searchMs: NUNCA }, db: demora.db })
    const contaId = await runtime.givenConta()
    await no.runtime.bots.start(firstLine(contaId))
    await waitUntil(async () => (await no.runtime.bots.status(firstLine(contaId))).status === 'AGUARDANDO_QR')
    const stuck = demora.hold()
    const escaneado = no.runtime.simulador.scan(firstLine(contaId))
    await stuck
    await no.runtime.bots.stop(firstLine(contaId))
    await demora.release()
    await escaneado
    const counted = runtime.published.filter((p) => p.contaId === contaId && p.event === 'botStatus')
    expect(counted.at(-1)?.payload['status']).toBe('PARADO')
    await no.stop()
  })
})

/** Wanted bots of another node. */
async function insertBots(contas: readonly string[], node: string): Promise<void> {
  await runtime.database.owner.query(
    `insert into bots (conta_id, desejado, conector, status, no, epoca)
     select unnest($1::uuid[]), true, 'simulador', 'CONECTADO', $2, 7`,
    [contas, node],
  )
}

describe('link without answers', () => {
  it('is closed and opened again after three sends', async () => {
    const opened: string[] = []
    const no = await runtime.startNode('calado', {
      timings: { sendTimeoutMs: 1_000 },
      connector: (base, deste) => {
        const silent = !opened.includes(deste)
        opened.push(deste)
        return { ...base, send: (mensagem) => (silent ? new Promise(() => undefined) : base.send(mensagem)) }
      },
    })
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    try {
      await waitUntil(() => textsOf(runtime, ana.phone).length === 2)
      expect(opened.filter((deste) => deste === contaId)).toHaveLength(2)
    } finally {
      await no.stop()
    }
  })
})

describe('SessionRegistry.start', () => {
  it('takes the bots of a dead node, first twenty and then ten a second', async () => {
    // Bots of the tests before would be taken, too.
    await runtime.database.owner.query('update bots set desejado = false')
    const contas = await Promise.all(Array.from({ length: 45 }, () => runtime.givenConta()))
    await insertBots(contas, await insertDeadNode(runtime.database))
    const began = performance.now()
    const no = await runtime.startNode('volta')
    const taken = async (): Promise<number> => {
      const waiting = `select from bots where conta_id = any ($1) and no = $2 and epoca > 7 and status = 'AGUARDANDO_QR'`
      return (await runtime.database.owner.query(waiting, [contas, no.deps.fleet.self])).rowCount ?? 0
    }
    try {
      await waitUntil(async () => (await taken()) >= 20)
      await waitUntil(async () => (await taken()) === 45)
      expect(performance.now() - began).toBeGreaterThan(2_000)
    } finally {
      await no.stop()
    }
  })

  it('takes free bots while the link of another conta starts without an end', async () => {
    await runtime.database.owner.query('update bots set desejado = false')
    const [slow, quick] = [await runtime.givenConta(), await runtime.givenConta()]
    const started: string[] = []
    const no = await runtime.startNode('devagar', {
      connector: (base, contaId) => {
        started.push(contaId)
        return contaId === slow ? { ...base, start: () => new Promise(() => undefined) } : base
      },
    })
    await insertBots([slow], await insertDeadNode(runtime.database))
    await waitUntil(() => started.includes(slow))
    await insertBots([quick], await insertDeadNode(runtime.database))
    await waitUntil(() => started.includes(quick), 5_000)
    await no.stop()
  })

  it.each([
    [true, 'INICIALIZANDO', 'semQrCode'],
    [false, 'CONECTADO', 'scanned'],
  ])('shows the bot of a dead node as starting, and asks a living one: dead %s', async (dead, status, scan) => {
    const bus = createMemoryBus()
    const other = ({ id }: { id?: string }): string => JSON.stringify({ packet: 'reply', id, reply: { done: true } })
    bus.subscribe(NODES_CHANNEL, (data) => {
      if (data.includes('"command"')) bus.publish(NODES_CHANNEL, other(JSON.parse(data)))
    })
    const no = await runtime.startNode(`pergunta-${status}`, { bus, timings: { searchMs: NUNCA } })
    const contaId = await runtime.givenConta()
    await insertBots([contaId], dead ? await insertDeadNode(runtime.database) : await startIdleNode(runtime))
    expect((await no.runtime.bots.status(firstLine(contaId))).status).toBe(status)
    const scanned = no.runtime.simulador.scan(firstLine(contaId)).then(() => 'scanned')
    expect(await scanned.catch((error: unknown) => (error instanceof AppError ? error.codigo : error))).toBe(scan)
    await no.stop()
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ate, type BotHouse, conectar, createBotHouse, createCliente, textosDe } from './house.ts'
import type { SessionHost } from '#ports/messaging.ts'
import { createDemora } from './demora.ts'

const NUNCA = 3_600_000
let house: BotHouse
beforeAll(async () => {
  house = await createBotHouse()
})
afterAll(() => house.close())

/** Renames the table while `durante` runs, so that all queries on it fail. */
async function semTabela(tabela: string, durante: () => Promise<unknown>): Promise<void> {
  await house.database.owner.query(`alter table ${tabela} rename to ${tabela}_fora`)
  try {
    await durante()
  } finally {
    await house.database.owner.query(`alter table ${tabela}_fora rename to ${tabela}`)
  }
}

const pausa = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms))

describe('SessionHost.linkState', () => {
  it('publishes each new reason of a reconnect', async () => {
    let host: SessionHost | undefined
    const no = await house.no('cai', {
      connector: (connector, _contaId, deste) => {
        host = deste
        return connector
      },
    })
    const contaId = await house.conta()
    await conectar(no, contaId)
    for (const motivo of ['substituido', 'semRede'] as const) await host?.estado({ tipo: 'reconectando', motivo })
    const contados = house.publicados.filter((um) => um.contaId === contaId && um.evento === 'botStatus')
    expect(contados.slice(-2).map(({ dados }) => dados['motivo'])).toEqual(['substituido', 'semRede'])
    await no.stop()
  })
})

describe('database failure', () => {
  it.each(['logs', 'saida'])('connects after a short failure of the table %s', async (tabela) => {
    const no = await house.no(`conecta-sem-${tabela}`, { tempos: { renovarMs: NUNCA, procurarMs: NUNCA } })
    const contaId = await house.conta()
    await no.runtime.bots.iniciar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'AGUARDANDO_QR')
    let escaneado: Promise<unknown> = Promise.resolve()
    await semTabela(tabela, async () => {
      escaneado = no.runtime.simulador.escanear(contaId)
      await Promise.race([escaneado, pausa(300)]).catch(() => undefined)
    })
    await escaneado
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    const ana = createCliente(no, contaId)
    await ana.diz('oi')
    await ate(() => textosDe(house, ana.telefone).length === 2)
    await no.runtime.simulador.desconectar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'PARADO')
    await no.stop()
  })

  it('allows another scan after a failed one, here or from another node', async () => {
    const nunca = { renovarMs: NUNCA, procurarMs: NUNCA }
    const demora = createDemora('update bots set credenciais', 'antes')
    const no = await house.no('escaneia', { tempos: nunca, db: demora.db })
    const outro = await house.no('escaneia-2', { tempos: nunca })
    const contaId = await house.conta()
    await no.runtime.bots.iniciar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'AGUARDANDO_QR')
    for (const pedir of [outro, no]) {
      const presa = demora.segurar()
      const pedida = pedir.runtime.simulador.escanear(contaId).then(
        () => 'pedida',
        () => 'recusada',
      )
      await presa
      await demora.perder()
      expect(await pedida).toBe(pedir === no ? 'recusada' : 'pedida')
    }
    await no.runtime.simulador.escanear(contaId)
    expect((await no.runtime.bots.status(contaId)).status).toBe('CONECTADO')
    await no.stop()
    await outro.stop()
  })

  it('retries a bot whose start failed', async () => {
    let faltam = 1
    const no = await house.no('comeca-mal', {
      tempos: { renovarMs: 50, procurarMs: 50 },
      connector: (base) => ({
        ...base,
        start: () => (faltam-- > 0 ? Promise.reject(new Error('database unavailable')) : base.start()),
      }),
    })
    const contaId = await house.conta()
    await conectar(no, contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    await no.stop()
  })

  it('isolates permanent read errors of one conta from its bot and other contas', async () => {
    const no = await house.no('linha-ruim', { tempos: { renovarMs: 50, procurarMs: NUNCA } })
    const [ruim, boa] = [await house.conta(), await house.conta()]
    const ana = createCliente(no, ruim)
    const bia = createCliente(no, boa)
    for (const [contaId, cliente] of [
      [ruim, ana],
      [boa, bia],
    ] as const) {
      await conectar(no, contaId)
      await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
      await cliente.diz('oi')
    }
    await no.runtime.ocioso()
    // Queued by another node a minute ago. The media of one message is invalid.
    await house.database.owner.query(
      `with m as (
         insert into mensagens select (jsonb_populate_record(m, jsonb_build_object(
           'id', gen_random_uuid(), 'midia', case when conta_id = $1 then '{"tipo":"?"}'::jsonb end, 'texto', 'PROMETIDA'))).*
         from mensagens m where m.direcao = 'saida' and m.texto like 'OLA%' and m.conta_id in ($1, $2) returning *)
       insert into saida (conta_id, mensagem_id, contato_id, endereco, conteudo, id_externo, proxima_em)
       select m.conta_id, m.id, c.id, c.endereco, '{}', m.id, now() - interval '1 minute'
       from m join contatos c on c.conta_id = m.conta_id`,
      [ruim, boa],
    )
    await ate(() => textosDe(house, bia.telefone).includes('PROMETIDA'))
    await no.runtime.bots.parar(ruim)
    await no.runtime.bots.iniciar(ruim)
    await ate(async () => (await no.runtime.bots.status(ruim)).status === 'CONECTADO')
    await ana.diz('1')
    await ate(() => textosDe(house, ana.telefone).includes('HORARIOS'))
    await ate(() => no.runtime.bots.leasesVivos())
    await no.stop()
  })
})

describe('late answers', () => {
  it('keeps a newer session when a late renewal reports the old lease', async () => {
    const demora = createDemora('update bots b set lease_expira', 'antes')
    const no = await house.no('renova-tarde', { tempos: { renovarMs: 50, procurarMs: NUNCA }, db: demora.db })
    const contaId = await house.conta()
    await conectar(no, contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    await demora.segurar()
    await no.runtime.bots.parar(contaId)
    await no.runtime.bots.iniciar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    await demora.soltar()
    const ana = createCliente(no, contaId)
    await ana.diz('oi')
    await ate(() => textosDe(house, ana.telefone).length === 2)
    await no.stop()
  })

  it('applies other stop requests while one link closes slowly', async () => {
    const { promise: fechada, resolve: fechar } = Promise.withResolvers<void>()
    const lentas: string[] = []
    const surdo = { publish: () => undefined, subscribe: () => () => undefined }
    const no = await house.no('fecha-devagar', {
      bus: surdo,
      tempos: { renovarMs: 50, procurarMs: NUNCA },
      connector: (base, contaId) => ({ ...base, stop: () => (lentas.includes(contaId) ? fechada : base.stop()) }),
    })
    const outro = await house.no('fecha-devagar-2', { bus: surdo, tempos: { renovarMs: NUNCA, procurarMs: NUNCA } })
    const [lenta, outra] = [await house.conta(), await house.conta()]
    lentas.push(lenta)
    for (const contaId of [lenta, outra]) {
      await conectar(no, contaId)
      await ate(async () => (await no.runtime.bots.status(contaId)).status === 'CONECTADO')
    }
    const presa = async (contaId: string): Promise<boolean> =>
      (await house.database.owner.query('select from bots where conta_id = $1 and no is not null', [contaId]))
        .rowCount === 1
    await outro.runtime.bots.parar(lenta)
    await pausa(300)
    await outro.runtime.bots.parar(outra)
    await ate(async () => !(await presa(outra)))
    expect(await presa(lenta)).toBe(true)
    fechar()
    await ate(async () => !(await presa(lenta)))
    await no.stop()
    await outro.stop()
  })

  it('skips failed messages that a late read of saida returns', async () => {
    const demora = createDemora('from saida s', 'depois')
    const { promise: ultima, resolve: falhar } = Promise.withResolvers<void>()
    const tentadas: string[] = []
    const no = await house.no('lista-tarde', {
      tempos: { renovarMs: NUNCA, procurarMs: NUNCA },
      db: demora.db,
      connector: (base) => ({
        ...base,
        send: async ({ texto }) => {
          tentadas.push(texto)
          if (texto !== 'OLA Ana' || tentadas.length > 5) return
          if (tentadas.length === 5) await ultima
          throw new Error('refused')
        },
      }),
    })
    const contaId = await house.conta()
    await conectar(no, contaId)
    const ana = createCliente(no, contaId)
    await ana.diz('oi')
    await ate(() => tentadas.length === 5)
    const presa = demora.segurar()
    no.deps.bus.publish('bots', contaId)
    await presa
    falhar()
    await ate(() => textosDe(house, ana.telefone).length === 1)
    await demora.soltar()
    await ana.diz('1')
    await ate(() => textosDe(house, ana.telefone).includes('HORARIOS'))
    expect(textosDe(house, ana.telefone).map((texto) => texto.split('\n')[0])).toEqual(['MENU', 'HORARIOS'])
    await no.stop()
  })

  it('keeps the newer question when the older one fails late', async () => {
    const demora = createDemora('from perguntas_ia p join', 'antes')
    const { promise: pensada, resolve: responder } = Promise.withResolvers<void>()
    const perguntadas: string[] = []
    const no = await house.no('pergunta-tarde', {
      tempos: { renovarMs: NUNCA, procurarMs: NUNCA },
      db: demora.db,
      ai: {
        answer: async ({ pergunta }) => {
          perguntadas.push(pergunta)
          await pensada
          return { tipo: 'texto', texto: `IA: ${pergunta}` }
        },
      },
    })
    const contaId = await house.conta((config) => ({
      ...config,
      ia: { ...config.ia, ativa: true, esperaSegundos: 0, gatilhos: ['quanto'] },
    }))
    const chave = no.deps.cofre.seal('chave', `configuracoes|dados.gemini.apiKey|${contaId}|config`)
    await house.database.owner.query(
      `update configuracoes set dados = jsonb_set(dados, '{gemini,apiKey}', to_jsonb($2::text)) where conta_id = $1`,
      [contaId, chave],
    )
    await conectar(no, contaId)
    const ana = createCliente(no, contaId)
    await ana.diz('oi')
    const presa = demora.segurar()
    await ana.diz('quanto custa')
    await presa
    await ana.diz('a caneca azul?')
    await ate(() => perguntadas.length === 1)
    await demora.perder()
    responder()
    await ate(() => textosDe(house, ana.telefone).includes('IA: quanto custa\na caneca azul?'))
    await no.stop()
  })

  it('publishes no outdated status after a newer one', async () => {
    const demora = createDemora('from logs where', 'depois')
    const no = await house.no('status-tarde', { tempos: { renovarMs: NUNCA, procurarMs: NUNCA }, db: demora.db })
    const contaId = await house.conta()
    await no.runtime.bots.iniciar(contaId)
    await ate(async () => (await no.runtime.bots.status(contaId)).status === 'AGUARDANDO_QR')
    const presa = demora.segurar()
    const escaneado = no.runtime.simulador.escanear(contaId)
    await presa
    await no.runtime.bots.parar(contaId)
    await demora.soltar()
    await escaneado
    const contados = house.publicados.filter((p) => p.contaId === contaId && p.evento === 'botStatus')
    expect(contados.at(-1)?.dados['status']).toBe('PARADO')
    await no.stop()
  })
})

describe('SessionRegistry.start', () => {
  it('takes all leases of a dead process at once at startup', async () => {
    const contas = await Promise.all(Array.from({ length: 45 }, () => house.conta()))
    await house.database.owner.query(
      `insert into bots (conta_id, desejado, conector, status, no, epoca, lease_expira)
       select unnest($1::uuid[]), true, 'simulador', 'CONECTADO', 'morto', nextval('epocas'), now() + interval '1 hour'`,
      [contas],
    )
    const no = await house.no('volta', { exclusivo: true, tempos: { renovarMs: NUNCA, procurarMs: NUNCA } })
    const { rowCount } = await house.database.owner.query(
      `select from bots where conta_id = any ($1) and no = 'volta' and status = 'AGUARDANDO_QR'`,
      [contas],
    )
    expect(rowCount).toBe(45)
    await no.stop()
  })
})

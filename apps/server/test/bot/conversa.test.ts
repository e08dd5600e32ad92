import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type TestRuntime,
  connectBot,
  createTestRuntime,
  createCustomer,
  type TestNode,
  textsOf,
} from './test-runtime.ts'
import { firstLine } from '#db/statement/line.ts'
import { waitUntil } from '#test/app.ts'

let runtime: TestRuntime
let no: TestNode
// Keeps other nodes from taking the bot: each conta is served by the node that started it.
const NUNCA = 3_600_000
const MENU = 'MENU\n1 - Horários\n2 - Atendente\n3 - Eco\n0 - Sair'

beforeAll(async () => {
  runtime = await createTestRuntime()
  no = await runtime.startNode('a', { timings: { searchMs: NUNCA } })
})
afterAll(() => runtime.close())

async function contar(contaId: string, onde: string): Promise<number> {
  const { rows } = await runtime.database.owner.query<{ n: number }>(
    `select count(*)::int as n from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
     where m.conta_id = $1 and ${onde}`,
    [contaId],
  )
  return rows[0]?.n ?? -1
}

describe('BotRuntime.receive', () => {
  it('greets, answers and leaves no row in saida', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    await ana.says('1')
    await ana.says('0')
    await no.runtime.idle()
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana', MENU, 'HORARIOS', 'TCHAU'])
    const { rows } = await runtime.database.owner.query('select 1 from saida where conta_id = $1', [contaId])
    expect(rows).toEqual([])
    expect(await contar(contaId, `v.status = 'finalizada' and v.motivo_fim = 'bot'`)).toBe(7)
    await ana.says('oi de novo')
    const { rows: conversas } = await runtime.database.owner.query(
      'select status from conversas where conta_id = $1 order by id',
      [contaId],
    )
    expect(conversas).toEqual([{ status: 'finalizada' }, { status: 'bot' }])
  })

  it('stores and answers a message once when the service repeats it', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi', 'mesma')
    await Promise.all(Array.from({ length: 20 }, () => ana.says('1', 'outra')))
    await ana.says('oi', 'mesma')
    await no.runtime.idle()
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana', MENU, 'HORARIOS'])
    expect(await contar(contaId, `direcao = 'entrada'`)).toBe(2)
  })

  it('treats the same id from another number as the same message', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    await Promise.all([createCustomer(no, contaId).says('oi', 'x'), createCustomer(no, contaId).says('oi', 'x')])
    expect(await contar(contaId, `direcao = 'entrada'`)).toBe(1)
  })

  it('keeps the order of each conversa while many customers write', async () => {
    const contaId = await runtime.givenConta((config) => config, 100_000)
    await connectBot(no, contaId)
    const clientes = Array.from({ length: 40 }, (_, n) => createCustomer(no, contaId, `C${n}`))
    await Promise.all(
      clientes.map(async (cliente) => {
        const ditos = ['oi', '1', 'hein?', '3', 'menu', '0'].map((text) => cliente.says(text))
        await Promise.all(ditos)
      }),
    )
    await no.runtime.idle()
    for (const { phone, name } of clientes) {
      expect(textsOf(runtime, phone)).toEqual([
        `OLA ${name}`,
        MENU,
        'HORARIOS',
        'NAO ENTENDI',
        MENU,
        'ECO',
        MENU,
        'TCHAU',
      ])
    }
    const { rows } = await runtime.database.owner.query<{ texto: string }>(
      `select m.texto from mensagens m join contatos c on c.conta_id = m.conta_id and c.conversa_id = m.conversa_id
       where c.telefone = $1 and m.direcao = 'entrada' order by m.id`,
      [clientes[7]?.phone],
    )
    expect(rows.map(({ texto }) => texto)).toEqual(['oi', '1', 'hein?', '3', 'menu', '0'])
  })

  it('answers another conta in the first batches while 2,000 contatos of one wait', async () => {
    const crowded = await runtime.givenConta((config) => config, 100_000)
    const quiet = await runtime.givenConta()
    for (const contaId of [crowded, quiet]) await connectBot(no, contaId)
    let stored = 0
    const crowd = Array.from({ length: 2_000 }, async () => {
      await createCustomer(no, crowded).says('oi')
      stored += 1
    })
    const bia = createCustomer(no, quiet, 'Bia')
    await bia.says('oi')
    // Four batches of 100 run at once.
    expect(stored).toBeLessThanOrEqual(400)
    await Promise.all(crowd)
    await no.runtime.idle()
    expect(textsOf(runtime, bia.phone)).toEqual(['OLA Bia', MENU])
  })

  it('starts one new conversa when the owner writes long after the last one ended', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    const doCelular = (id: string): Promise<void> =>
      no.runtime.receive(firstLine(contaId), 'simulador', {
        ...{ id, endereco: ana.phone, telefone: ana.phone, nome: '', texto: id },
        ...{ deMim: true, enviadaEm: no.deps.clock.now() },
      })
    const after = (minutes: number): void => runtime.setNow(new Date(Date.now() + minutes * 60_000))
    await ana.says('oi')
    await ana.says('0')
    after(180)
    await doCelular('bom dia')
    after(181)
    await doCelular('seu pedido chegou')
    after(182)
    await no.runtime.receive(firstLine(contaId), 'simulador', {
      ...{ id: 'que bom', endereco: ana.phone, telefone: ana.phone, nome: 'Ana', texto: 'que bom' },
      enviadaEm: no.deps.clock.now(),
    })
    runtime.setNow(null)
    const { rows } = await runtime.database.owner.query(
      `select v.status, array_agg(m.texto order by m.id) filter (where m.origem in ('cliente', 'telefone')) as ditas
       from conversas v join mensagens m on m.conta_id = v.conta_id and m.conversa_id = v.id
       where v.conta_id = $1 group by v.id, v.status order by v.id`,
      [contaId],
    )
    expect(rows).toEqual([
      { status: 'finalizada', ditas: ['oi', '0'] },
      { status: 'bot', ditas: ['bom dia', 'seu pedido chegou', 'que bom'] },
    ])
  })

  it('keeps several missed calls in one conversa', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    runtime.setNow(new Date(Date.now() + 180 * 60_000))
    for (const id of ['primeira', 'segunda', 'terceira']) {
      await no.runtime.receive(firstLine(contaId), 'simulador', {
        ...{ id, endereco: ana.phone, telefone: ana.phone, nome: 'Ana', texto: 'Ligação perdida' },
        ...{ ligacao: 'voz', enviadaEm: no.deps.clock.now() },
      })
    }
    runtime.setNow(null)
    const { rows } = await runtime.database.owner.query(
      'select status from conversas where conta_id = $1 order by id',
      [contaId],
    )
    expect(rows).toEqual([{ status: 'finalizada' }, { status: 'bot' }])
  })

  it('matches Brazilian mobiles with and without ninth digit and answers the address used', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const write = (telefone: string, texto: string): Promise<void> =>
      no.runtime.receive(firstLine(contaId), 'simulador', {
        id: `${telefone}${texto}`,
        endereco: telefone,
        telefone,
        nome: 'Bia',
        texto,
        enviadaEm: new Date(),
      })
    await write('551187654321', 'oi')
    await write('5511987654321', '1')
    await no.runtime.idle()
    expect(textsOf(runtime, '551187654321')).toEqual(['OLA Bia', MENU])
    expect(textsOf(runtime, '5511987654321')).toEqual(['HORARIOS'])
    const { rows } = await runtime.database.owner.query('select telefone from contatos where conta_id = $1', [contaId])
    expect(rows).toEqual([{ telefone: '5511987654321' }])
  })

  it('hands over with the next protocol number and then stays silent', async () => {
    runtime.setNow(new Date('2026-03-10T15:00:00.000Z'))
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    for (const numero of ['0001', '0002']) {
      const cliente = createCustomer(no, contaId)
      await cliente.says('oi')
      await cliente.says('2')
      await cliente.says('alguém?')
      await no.runtime.idle()
      expect(textsOf(runtime, cliente.phone).slice(2)).toEqual([`PROTOCOLO 20260310-${numero}`])
    }
    runtime.setNow(null)
    const { rows } = await runtime.database.owner.query(
      `select status, setor, protocolo, nao_lidas from conversas where conta_id = $1 order by protocolo`,
      [contaId],
    )
    expect(rows).toEqual([
      { status: 'aguardando', setor: 'geral', protocolo: '20260310-0001', nao_lidas: 2 },
      { status: 'aguardando', setor: 'geral', protocolo: '20260310-0002', nao_lidas: 2 },
    ])
    // Each conversa is read for its own event, so the events may arrive in either order.
    const fresh = await waitUntil(
      () =>
        runtime.published.find(
          ({ event, payload }) => event === 'novaConversaHumana' && JSON.stringify(payload).includes('20260310-0001'),
        ) ?? null,
    )
    expect(fresh.payload).toMatchObject({
      userId: contaId,
      conversa: { protocolo: '20260310-0001', status: 'aguardando' },
    })
    const after = runtime.published.filter(({ event }) => event === 'mensagemConversaHumana')
    const mensagens = after.map(({ payload }) => Object(payload['mensagem']))
    expect(mensagens.filter(({ tipo }) => tipo === 'recebida')).toMatchObject([
      { texto: 'alguém?' },
      { texto: 'alguém?' },
    ])
    // A message still queued in the opening event is published again when it is sent.
    expect(mensagens.filter(({ tipo }) => tipo === 'enviada').map(({ estado }) => estado)).not.toContain('pendente')
  })

  it('stays silent in maintenance and never answers those messages later', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    const manutencao = async (enabled: boolean): Promise<void> => {
      await runtime.database.owner.query('update contas set manutencao = $2 where id = $1', [contaId, enabled])
      no.runtime.bots.contextChanged(contaId)
    }
    await manutencao(true)
    await ana.says('oi')
    await ana.says('1')
    expect(await contar(contaId, `direcao = 'entrada'`)).toBe(2)
    await manutencao(false)
    await ana.says('olá')
    await no.runtime.idle()
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana', MENU])
  })

  it('records a stop request during maintenance and obeys it afterwards', async () => {
    const contaId = await runtime.givenConta()
    await connectBot(no, contaId)
    const ana = createCustomer(no, contaId)
    await ana.says('oi')
    const manter = async (ativa: boolean): Promise<void> => {
      await runtime.database.owner.query('update contas set manutencao = $2 where id = $1', [contaId, ativa])
      no.runtime.bots.contextChanged(contaId)
    }
    await manter(true)
    await ana.says('sair da fila?')
    await ana.says('PARAR')
    await manter(false)
    await ana.says('1')
    await no.runtime.idle()
    expect(textsOf(runtime, ana.phone)).toEqual(['OLA Ana', MENU])
    const { rows } = await runtime.database.owner.query('select ato from consentimentos where conta_id = $1', [contaId])
    expect(rows).toEqual([{ ato: 'parada' }])
  })

  it('stores other messages of a batch when one conta fails', async () => {
    const boa = await runtime.givenConta()
    const ruim = await runtime.givenConta()
    await connectBot(no, boa)
    await connectBot(no, ruim)
    await runtime.database.owner.query(
      `create or replace function recusar() returns trigger language plpgsql as
         $$ begin if new.texto = 'veneno' then raise exception 'veneno'; end if; return new; end $$`,
    )
    await runtime.database.owner.query(
      'create trigger veneno before insert on mensagens for each row execute function recusar()',
    )
    const bons = Array.from({ length: 30 }, () => createCustomer(no, boa))
    const results = await Promise.allSettled([
      createCustomer(no, ruim).says('veneno'),
      ...bons.map((cliente) => cliente.says('oi')),
    ])
    await no.runtime.idle()
    await runtime.database.owner.query('drop trigger veneno on mensagens')
    expect(results.map(({ status }) => status)).toEqual(['rejected', ...bons.map(() => 'fulfilled')])
    for (const { phone } of bons) expect(textsOf(runtime, phone)).toEqual(['OLA Ana', MENU])
  })

  it('sends an AI answer into the conversa and deletes the question', async () => {
    const perguntas: string[] = []
    const comIa = await runtime.startNode('ia', {
      timings: { searchMs: NUNCA },
      ai: {
        answer: ({ pergunta }) => {
          perguntas.push(pergunta)
          return Promise.resolve({ tipo: 'texto', texto: `IA: ${pergunta}` })
        },
      },
    })
    const contaId = await runtime.givenConta((config) => ({
      ...config,
      gemini: { apiKey: '' },
      ia: { ...config.ia, ativa: true, esperaSegundos: 0 },
    }))
    const { rows } = await runtime.database.owner.query<{ dados: { gemini: { apiKey: string } } }>(
      'select dados from configuracoes where conta_id = $1',
      [contaId],
    )
    const data = rows[0]?.dados
    const sealed = comIa.deps.vault.seal('chave-de-verdade', `configuracoes|dados.gemini.apiKey|${contaId}|config`)
    await runtime.database.owner.query('update configuracoes set dados = $2 where conta_id = $1', [
      contaId,
      JSON.stringify({ ...data, gemini: { apiKey: sealed } }),
    ])
    await connectBot(comIa, contaId)
    const ana = createCustomer(comIa, contaId)
    await ana.says('oi')
    await ana.says('quanto custa?')
    // Greeting, menu, presentation and answer.
    await waitUntil(() => textsOf(runtime, ana.phone).length === 4)
    expect(textsOf(runtime, ana.phone).at(-1)).toBe('IA: quanto custa?')
    expect(perguntas).toEqual(['quanto custa?'])
    await comIa.runtime.idle()
    const { rows: left } = await runtime.database.owner.query('select 1 from perguntas_ia where conta_id = $1', [
      contaId,
    ])
    expect(left).toEqual([])
  })
})

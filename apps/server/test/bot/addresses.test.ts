import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestRuntime, connectBot, createTestRuntime, type TestNode } from './test-runtime.ts'
import { firstLine } from '#db/statement/line.ts'
import { waitUntil } from '#test/app.ts'

/** Addresses of one person at a service: the phone, and a LID that hides the number. */

let runtime: TestRuntime
let no: TestNode
let contaId: string

beforeAll(async () => {
  runtime = await createTestRuntime()
  no = await runtime.startNode('a')
})
afterAll(() => runtime.close())
beforeEach(async () => {
  contaId = await runtime.givenConta()
  await connectBot(no, contaId)
})

const LID = '200000000000001@lid'
const JID = '5511987654321@s.whatsapp.net'
const TELEFONE = '5511987654321'

/** LID alone, LID with number, or number alone. */
const vias = {
  oculto: { endereco: LID, telefone: '' },
  lid: { endereco: LID, telefone: TELEFONE, outrosEnderecos: [JID] },
  numero: { endereco: JID, telefone: TELEFONE },
} as const

function diz(texto: string, via: keyof typeof vias): Promise<void> {
  const base = { id: randomUUID(), nome: 'Ana', texto, enviadaEm: new Date() }
  return no.runtime.receive(firstLine(contaId), 'simulador', { ...base, ...vias[via] })
}

const sql = async (text: string): Promise<Record<string, unknown>[]> =>
  (await runtime.database.owner.query<Record<string, unknown>>(text, [contaId])).rows

const contatos = () => sql('select nome, telefone from contatos where conta_id = $1')
const open = () => sql(`select status from conversas where conta_id = $1 and status <> 'finalizada'`)
const texts = async () =>
  (
    await sql(`select m.texto from mensagens m join conversas v on v.conta_id = m.conta_id and v.id = m.conversa_id
               join contatos c on c.conta_id = v.conta_id and c.id = v.contato_id
               where m.conta_id = $1 and m.direcao = 'entrada' order by m.id`)
  ).map(({ texto }) => texto)

describe('addresses of one person', () => {
  it('continues the conversa when a hidden number is revealed', async () => {
    await diz('oi', 'oculto')
    expect(await contatos()).toEqual([{ nome: 'Ana', telefone: '' }])
    await diz('1', 'lid')
    expect(await contatos()).toEqual([{ nome: 'Ana', telefone: TELEFONE }])
    expect(await open()).toHaveLength(1)
    expect(runtime.delivered.filter((received) => received.contaId === contaId).at(-1)?.texto).not.toContain('OLA')
  })

  it('finds the contato by its LID after the number is known', async () => {
    await diz('oi', 'lid')
    await waitUntil(async () => (await sql('select 1 from enderecos where conta_id = $1')).length === 2)
    await diz('1', 'oculto')
    await diz('1', 'numero')
    expect(await contatos()).toEqual([{ nome: 'Ana', telefone: TELEFONE }])
  })

  it('merges two contatos of one person and keeps every message', async () => {
    await diz('um', 'oculto')
    await diz('dois', 'numero')
    expect(await contatos()).toHaveLength(2)
    await diz('três', 'lid')
    expect(await contatos()).toEqual([{ nome: 'Ana', telefone: TELEFONE }])
    expect(await open()).toHaveLength(1)
    expect(await texts()).toEqual(['um', 'dois', 'três'])
    await diz('quatro', 'oculto')
    expect(await texts()).toEqual(['um', 'dois', 'três', 'quatro'])
    expect(await contatos()).toHaveLength(1)
  })

  it('keeps the contato that people serve when merging', async () => {
    await diz('oi', 'oculto')
    await diz('2', 'oculto')
    await diz('oi', 'numero')
    await diz('sou eu', 'lid')
    expect(await open()).toEqual([{ status: 'aguardando' }])
    expect(await contatos()).toHaveLength(1)
  })

  it('applies a stop request to all addresses until the customer takes it back', async () => {
    const respostas = (): string[] =>
      runtime.delivered
        .filter((received) => received.contaId === contaId)
        .map(({ texto }) => texto.split('\n')[0] ?? '')
    await diz('parar', 'oculto')
    await diz('oi', 'numero')
    await no.runtime.idle()
    const [parou = '', ...saudacao] = respostas()
    expect([parou.startsWith('🔕 Tudo bem'), saudacao]).toEqual([true, ['OLA Ana', 'MENU']])
    await diz('1', 'lid')
    expect(await contatos()).toHaveLength(1)
    await diz('1', 'numero')
    await diz('voltar', 'lid')
    await diz('1', 'oculto')
    await no.runtime.idle()
    expect(respostas()).toEqual([parou, 'OLA Ana', 'MENU', '🔔 Que bom ter você de volta!', 'MENU', 'HORARIOS'])
  })

  it('continues after the greater last ids of both contatos when merging', async () => {
    for (const [text, via] of [
      ['oi', 'oculto'],
      ['2', 'oculto'],
      ['oi', 'numero'],
    ] as const) {
      await diz(text, via)
    }
    const greatest = (where: string): Promise<Record<string, unknown>[]> =>
      sql(`select id from mensagens where conta_id = $1 and ${where} order by id desc limit 1`)
    const [lastSent] = await greatest(`direcao = 'saida'`)
    // People serve the older conversa, so it stays and the bot does not answer.
    await diz('sou eu', 'lid')
    const [last] = await greatest('true')
    expect(await sql('select ultimo_id, ultima_saida from contatos where conta_id = $1')).toEqual([
      { ultimo_id: last?.['id'], ultima_saida: lastSent?.['id'] },
    ])
  })

  it('ends one of two attended conversas on a merge and publishes its end', async () => {
    for (const via of ['oculto', 'numero'] as const) {
      await diz('oi', via)
      await diz('2', via)
    }
    expect(await open()).toHaveLength(2)
    await diz('sou eu', 'lid')
    const [encerrada] = await sql(`select id from conversas where conta_id = $1 and status = 'finalizada'`)
    const counted = runtime.published.filter((p) => p.contaId === contaId && p.event === 'conversaFinalizada')
    expect(counted.map(({ payload }) => payload)).toMatchObject([{ userId: contaId, conversaId: encerrada?.['id'] }])
  })

  it('keeps the order of messages that arrive during a merge', async () => {
    await diz('zero', 'oculto')
    const written = ['um', 'dois', 'três', 'quatro']
    await Promise.all(written.map((text) => diz(text, 'lid')))
    expect(await texts()).toEqual(['zero', ...written])
  })
})

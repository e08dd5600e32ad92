import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resultadoBuscaSchema } from '@balcao/contract/entities/busca'
import * as z from 'zod/mini'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  givenConta,
  givenOperador,
  openConversas,
  saveConfig,
  withVendas,
} from '#test/builders.ts'
import { addLine, connectLine, newPhone, waitingOn, writesOn } from './lines.ts'

const ALL_DAY = [{ inicio: '00:00', fim: '24:00' }]
const ALWAYS_OPEN = Object.fromEntries(['seg', 'ter', 'qua', 'qui', 'sex', 'sab', 'dom'].map((day) => [day, ALL_DAY]))

let app: TestApp
let dona: TestUser
/** Serves Filial. */
let lia: TestUser
/** Serves the first line. */
let pia: TestUser
/** Serves all lines. */
let tina: TestUser
/** Serves Vendas on Filial. */
let vito: TestUser
let first = ''
let filial = ''

const act = (quem: TestUser, id: string, action: string, body?: object) =>
  quem.request('POST', `/atendimento/conversas/${id}/${action}`, body)
const listed = async (quem: TestUser): Promise<Set<string>> =>
  new Set((await openConversas(quem, '?limite=200')).map(({ id }) => id))
/** Which of the conversas a person finds in the list and opens by id. */
async function seen(quem: TestUser, ids: readonly string[]): Promise<boolean[]> {
  const list = await listed(quem)
  const opened = await Promise.all(ids.map((id) => quem.request('GET', `/atendimento/conversas/${id}`)))
  const found = ids.map((id) => list.has(id))
  expect(opened.map(({ status }) => status === 200)).toEqual(found)
  return found
}
const setLinhas = (quem: TestUser, linhas: readonly string[]) =>
  dona.request('PUT', `/conta/operadores/${quem.usuario.id}`, { linhas })

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  first = dona.contaId
  await connectBot(dona, withVendas)
  ;({ id: filial } = await addLine(dona, 'Filial'))
  await connectLine(dona, filial)
  lia = await givenOperador(app, dona, { nome: 'Lia', linhas: [filial] })
  pia = await givenOperador(app, dona, { nome: 'Pia', linhas: [first] })
  tina = await givenOperador(app, dona, { nome: 'Tina' })
  vito = await givenOperador(app, dona, { nome: 'Vito', linhas: [filial], setores: ['vendas'] })
})
afterAll(() => app.close())

describe('conversas of an operador with lines', () => {
  it('are those of the own lines, for the dona and people without lines all', async () => {
    const ids = [await waitingOn(dona, first, newPhone()), await waitingOn(dona, filial, newPhone())]
    expect(await seen(lia, ids)).toEqual([false, true])
    expect(await seen(pia, ids)).toEqual([true, false])
    for (const quem of [dona, tina]) expect(await seen(quem, ids)).toEqual([true, true])
  })

  it('are those in both the own lines and setores', async () => {
    const ids = [
      await waitingOn(dona, first, newPhone(), '7'),
      await waitingOn(dona, filial, newPhone(), '7'),
      await waitingOn(dona, filial, newPhone()),
      await waitingOn(dona, filial, newPhone()),
    ]
    expect((await act(dona, ids[3] ?? '', 'transferir', { setor: 'suporte' })).status).toBe(200)
    expect(await seen(vito, ids)).toEqual([false, true, true, false])
    expect(await seen(lia, ids)).toEqual([false, true, true, true])
  })

  it('include one of another line while the operador serves it', async () => {
    const id = await waitingOn(dona, first, newPhone())
    expect((await act(tina, id, 'assumir')).status).toBe(200)
    expect((await setLinhas(tina, [filial])).status).toBe(200)
    expect(await seen(tina, [id])).toEqual([true])
    expect((await act(tina, id, 'finalizar')).status).toBe(200)
    expect((await tina.request('GET', `/atendimento/conversas/${id}`)).status).toBe(404)
    await setLinhas(tina, [])
  })

  it('are counted by line', async () => {
    const count = async (quem: TestUser): Promise<number> =>
      Number((await quem.request('GET', '/atendimento/estatisticas')).body['total'])
    const before = [await count(lia), await count(pia), await count(dona)]
    await waitingOn(dona, filial, newPhone())
    expect([await count(lia), await count(pia), await count(dona)]).toEqual(
      before.map((n, index) => n + (index === 1 ? 0 : 1)),
    )
  })

  it('are found by the search of their lines only', async () => {
    const [here, there] = [newPhone(), newPhone()]
    await waitingOn(dona, first, here)
    await waitingOn(dona, filial, there)
    await writesOn(dona, first, here, 'quero jabuticaba da principal')
    await writesOn(dona, filial, there, 'quero jabuticaba da filial')
    const texts = async (quem: TestUser): Promise<string[]> => {
      const { body } = await quem.request('GET', '/atendimento/busca?q=jabuticaba')
      return z
        .array(resultadoBuscaSchema)
        .parse(body['resultados'])
        .map(({ trecho }) => trecho)
    }
    await waitUntil(async () => (await texts(dona)).length === 2)
    expect(await texts(lia)).toEqual(['quero jabuticaba da filial'])
    expect(await texts(pia)).toEqual(['quero jabuticaba da principal'])
    const everything = await lia.request('GET', '/busca?q=jabuticaba')
    expect(JSON.stringify(everything.body)).not.toContain('principal')
  })

  it('send events to people of the line only', async () => {
    const [here, there] = [newPhone(), newPhone()]
    const sockets = { lia: await app.connect(lia), vito: await app.connect(vito), pia: await app.connect(pia) }
    const id = await waitingOn(dona, first, here)
    const other = await waitingOn(dona, filial, there)
    await act(dona, other, 'transferir', { setor: 'suporte' })
    await writesOn(dona, first, here, 'segredo da principal')
    await writesOn(dona, filial, there, 'segredo da filial')
    await act(dona, id, 'mensagem', { mensagem: 'resposta da principal' })
    await act(dona, other, 'mensagem', { mensagem: 'resposta da filial' })
    await act(dona, id, 'finalizar')
    await act(dona, other, 'finalizar')
    const text = ({ received }: (typeof sockets)['lia']): string => JSON.stringify(received)
    await waitUntil(
      () => text(sockets.lia).includes('resposta da filial') && text(sockets.pia).includes('resposta da p'),
    )
    expect(text(sockets.lia)).not.toContain(id)
    expect(text(sockets.lia)).not.toContain('segredo da principal')
    expect(text(sockets.pia)).not.toContain(other)
    expect(text(sockets.vito)).not.toContain('segredo da filial')
    expect(text(sockets.vito)).not.toContain(id)
    for (const { socket } of Object.values(sockets)) socket.close()
  })

  it('are not transferred to a person of other lines', async () => {
    const id = await waitingOn(dona, filial, newPhone())
    const to = (quem: TestUser) => act(dona, id, 'transferir', { operadorId: quem.usuario.id })
    expect(await to(pia)).toMatchObject({ status: 400, body: { codigo: 'operadorForaDoSetor' } })
    expect((await to(lia)).status).toBe(200)
  })

  it('mention only people of the line', async () => {
    const id = await waitingOn(dona, filial, newPhone())
    const nota = (...people: TestUser[]) =>
      act(dona, id, 'notas', { texto: 'veja', mencoes: people.map(({ usuario }) => usuario.id) })
    expect(await nota(lia, pia)).toMatchObject({ status: 400, body: { codigo: 'dadosInvalidos' } })
    expect((await nota(lia)).status).toBe(201)
    const notices = async (quem: TestUser) => JSON.stringify((await quem.request('GET', '/avisos')).body)
    await waitUntil(async () => (await notices(lia)).includes(id))
    expect(await notices(pia)).not.toContain(id)
  })
})

describe('write first by an operador with lines', () => {
  it('uses the own line by default and refuses another one', async () => {
    const open = (body: object) => lia.request('POST', '/atendimento/conversas', { telefone: newPhone(), ...body })
    expect(await open({})).toMatchObject({ status: 201, body: { conversa: { linha: { id: filial } } } })
    expect(await open({ linhaId: filial })).toMatchObject({
      status: 201,
      body: { conversa: { linha: { id: filial } } },
    })
    expect(await open({ linhaId: first })).toMatchObject({ status: 404, body: { codigo: 'naoEncontrado' } })
  })

  it('refuses a test conversa, which is on the first line', async () => {
    const test = (quem: TestUser) => quem.request('POST', '/atendimento/teste-conversa', { setor: 'geral' })
    expect(await test(lia)).toMatchObject({ status: 403, body: { codigo: 'semPermissao' } })
    expect((await test(pia)).status).toBe(200)
  })
})

describe('PUT /conta/operadores/:id with linhas', () => {
  it('refuses an unknown line, the line of another account and a wrong type, and changes nothing', async () => {
    const vizinha = await givenConta(app, 'Vizinha')
    for (const linhas of [[crypto.randomUUID()], [vizinha.contaId], ['x'], 'x', [1], Array(21).fill(filial)])
      expect((await dona.request('PUT', `/conta/operadores/${lia.usuario.id}`, { linhas })).status).toBe(400)
    expect((await lia.request('GET', '/auth/eu')).body).toMatchObject({ usuario: { linhas: [filial] } })
  })

  it('counts a repeated line once and takes effect with the next request', async () => {
    const otto = await givenOperador(app, dona, { nome: 'Otto', linhas: [first] })
    const id = await waitingOn(dona, filial, newPhone())
    expect(await seen(otto, [id])).toEqual([false])
    expect((await setLinhas(otto, [filial, filial])).body).toMatchObject({ operador: { linhas: [filial] } })
    expect(await seen(otto, [id])).toEqual([true])
  })
})

describe('automatic distribution with lines', () => {
  it('gives waiting conversas to present people of their line', async () => {
    await saveConfig(dona, (config) => ({
      ...config,
      atendimento: {
        ...config.atendimento,
        horario: { ...config.atendimento.horario, excecoes: [], dias: ALWAYS_OPEN },
        distribuicao: { modo: 'automatica', capacidade: 50, semRespostaMinutos: 0 },
      },
    }))
    const sockets = [await app.connect(lia), await app.connect(pia)]
    await waitUntil(async () => (await app.sql('select 1 from presencas where saiu_em is null')).length >= 2)
    const [here, there] = [await waitingOn(dona, first, newPhone()), await waitingOn(dona, filial, newPhone())]
    const served = (id: string) =>
      waitUntil(async () => {
        const [row] = await app.sql('select operador_id from conversas where id = $1', [id])
        return row?.['operador_id'] ?? null
      })
    expect([await served(here), await served(there)]).toEqual([pia.usuario.id, lia.usuario.id])
    for (const { socket } of sockets) socket.close()
    await saveConfig(dona, (config) => ({
      ...config,
      atendimento: { ...config.atendimento, distribuicao: { ...config.atendimento.distribuicao, modo: 'manual' } },
    }))
  })
})

describe('DELETE /linhas/:id with operadores', () => {
  it('leaves an operador of that line alone with none until the dona chooses', async () => {
    const { id: loja } = await addLine(dona, 'Loja 3')
    const only = await givenOperador(app, dona, { nome: 'Só', linhas: [loja] })
    const both = await givenOperador(app, dona, { nome: 'Duas', linhas: [loja, filial] })
    const ids = [await waitingOn(dona, first, newPhone()), await waitingOn(dona, filial, newPhone())]
    const { socket, received } = await app.connect(only)
    expect((await dona.request('DELETE', `/linhas/${loja}`)).status).toBe(204)
    expect(await seen(only, ids)).toEqual([false, false])
    expect(await seen(both, ids)).toEqual([false, true])
    const telefone = newPhone()
    await waitingOn(dona, first, telefone)
    const opened = await only.request('POST', '/atendimento/conversas', { telefone: newPhone() })
    expect(opened).toMatchObject({ status: 409, body: { codigo: 'linhaNaoEscreve' } })
    expect(JSON.stringify(received)).not.toContain(telefone)
    const path = `/conta/operadores/${only.usuario.id}`
    const { linhas } = z
      .object({ linhas: z.array(z.string()) })
      .parse((await dona.request('PUT', path, { nome: 'Sozinha' })).body['operador'])
    expect((await dona.request('PUT', path, { nome: 'Só', linhas })).status).toBe(200)
    expect(await seen(only, ids)).toEqual([false, false])
    expect((await setLinhas(only, [])).status).toBe(200)
    expect(await seen(only, ids)).toEqual([true, true])
    socket.close()
  })
})

describe('conversas with the bot', () => {
  it('list a contato of two lines once, and for an operador those of the own lines', async () => {
    const [both, here] = [newPhone(), newPhone()]
    await customerSays(dona, both, 'oi')
    await writesOn(dona, filial, both, 'oi')
    await customerSays(dona, here, 'oi')
    const phones = async (quem: TestUser, query = ''): Promise<string[]> => {
      const { status, body } = await quem.request('GET', `/atendimento/conversas?status=bot&limite=200${query}`)
      expect(status).toBe(200)
      const rows = z.array(z.looseObject({ cliente: z.looseObject({ telefone: z.string() }) })).parse(body['conversas'])
      return rows.map(({ cliente }) => cliente.telefone).filter((one) => one === both || one === here)
    }
    expect(await phones(dona)).toEqual([here, both])
    expect(await phones(lia)).toEqual([both])
    expect(await phones(pia)).toEqual([here, both])
    expect(await phones(dona, `&linha=${filial}`)).toEqual([both])
    await writesOn(dona, filial, both, '4')
    expect(await phones(dona)).toEqual([both, here])
    app.advance(61 * 60_000)
    await writesOn(dona, filial, both, '4')
    expect(await phones(dona)).toEqual([both])
    expect(await phones(pia)).toEqual([])
  })
})

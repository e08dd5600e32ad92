import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Contato } from '@balcao/contract/entities/contato'
import { contatoRoute, contatosRoute, criarContatoRoute, importarContatosRoute } from '@balcao/contract/routes/contatos'
import { criarEtiquetaRoute, etiquetasRoute } from '@balcao/contract/routes/etiquetas'
import { notasRoute } from '@balcao/contract/routes/notas'
import { joinAddresses } from '#modules/enderecos/index.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import {
  connectBot,
  customerSays,
  formFile,
  givenConta,
  givenOperador,
  givenWaitingCustomer,
  openConversas,
} from '#test/builders.ts'
import { firstLine } from '#db/statement/line.ts'

let app: TestApp
let dona: TestUser
let vera: TestUser

beforeAll(async () => {
  app = await createTestApp()
  dona = await givenConta(app)
  vera = await givenOperador(app, dona, { nome: 'Vera', setores: ['vendas'] })
  await connectBot(dona)
})
afterAll(() => app.close())

const create = (fields: object, user = dona) => user.request('POST', '/contatos', { nome: 'Ana', ...fields })
async function given(fields: object): Promise<Contato> {
  const { status, body } = await create(fields)
  expect(status, JSON.stringify(body)).toBe(201)
  return criarContatoRoute.response.parse(body).contato
}
const list = async (query: Record<string, string> = {}, user = dona) =>
  contatosRoute.response.parse((await user.request('GET', `/contatos?${new URLSearchParams(query).toString()}`)).body)
const namesOf = async (query: Record<string, string>, user = dona) =>
  (await list(query, user)).contatos.map(({ nome }) => nome)
const read = async (id: string, user = dona) =>
  contatoRoute.response.parse((await user.request('GET', `/contatos/${id}`)).body).contato
async function givenEtiqueta(nome: string, user = dona): Promise<string> {
  const { status, body } = await user.request('POST', '/etiquetas', { nome, cor: 'green' })
  expect(status).toBe(201)
  return criarEtiquetaRoute.response.parse(body).etiqueta.id
}
const etiquetas = async () => etiquetasRoute.response.parse((await dona.request('GET', '/etiquetas')).body).etiquetas

const importFile = async (text: string | Buffer, query = '', user = dona) => {
  const form = new FormData()
  form.set('arquivo', formFile(Buffer.from(text), 'contatos.csv', 'text/csv'))
  return user.request('POST', `/contatos/importar${query}`, form)
}
const imported = async (text: string | Buffer, query = '') => {
  const { status, body } = await importFile(text, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return importarContatosRoute.response.parse(body)
}
const exported = async (user = dona) => {
  const reply = await fetch(`${app.url}/api/contatos/exportar`, { headers: { authorization: `Bearer ${user.token}` } })
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
}

describe('contatos', () => {
  it('finds a contato by parts of name, phone and user name in any notation', async () => {
    const joao = await given({ nome: 'João Pé-de-Moça', telefone: '(11) 98111-2233', observacao: ' alergia ' })
    expect(joao).toMatchObject({ telefone: '5511981112233', observacao: 'alergia', etiquetas: [] })
    const loja = await given({ nome: 'Açaí do Zé', telefone: '11 3265-4321' })
    await app.sql(`update contatos set nome_usuario = 'ze.do.acai' where id = $1`, [loja.id])
    await given({ nome: 'Émile', telefone: '+33 6 12 34 56 78' })
    for (const busca of [
      ...['joao', 'PÉ-DE', 'moca joão', '98111-2233', '(11) 98111', '11 8111-2233', '+55 11 98111-2233'],
      ...['551181112233', '011 98111 2233', 'João 8111'],
    ]) {
      expect(await namesOf({ busca }), busca).toEqual(['João Pé-de-Moça'])
    }
    for (const busca of ['acai', '@ze.do', 'ZE.DO', '3265-4321', '+55 (11) 3265', 'zé AÇAÍ']) {
      expect(await namesOf({ busca }), busca).toEqual(['Açaí do Zé'])
    }
    expect(await namesOf({ busca: '33612345678' })).toEqual(['Émile'])
    for (const busca of ['%', '_____', 'joao silva', '99999', '\\']) expect(await namesOf({ busca }), busca).toEqual([])
    expect(await namesOf({})).toEqual(['Açaí do Zé', 'Émile', 'João Pé-de-Moça'])
    expect(await read(loja.id)).toMatchObject({ nomeUsuario: 'ze.do.acai' })
  })

  it('pages the list by name without gaps, also filtered by a rare and by a common etiqueta', async () => {
    const conta = await givenConta(app)
    const vip = await givenEtiqueta('VIP', conta)
    await app.sql(
      `insert into contatos (conta_id, id, nome, telefone, endereco)
       select $1, gen_random_uuid(), case when n % 10 = 0 then '' else 'Cliente ' || n end, '55119' || (80000000 + n), 'x'
       from generate_series(1, 2500) n`,
      [conta.contaId],
    )
    const tag = (many: number) =>
      app.sql(
        `insert into contatos_etiquetas (conta_id, etiqueta_id, contato_id)
         select conta_id, $2, id from contatos where conta_id = $1 order by chave desc limit $3 on conflict do nothing`,
        [conta.contaId, vip, many],
      )
    const all = async (query: Record<string, string>): Promise<string[]> => {
      const ids: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const page = await list({ ...query, limite: '100', ...(cursor === '' ? {} : { cursor }) }, conta)
        ids.push(...page.contatos.map(({ id }) => id))
        cursor = page.proximoCursor
      }
      return ids
    }
    const whole = await all({})
    expect([whole.length, new Set(whole).size]).toEqual([2500, 2500])
    const { contatos } = await list({ limite: '500' }, conta)
    expect(contatos).toHaveLength(100)
    expect(contatos[0]?.nome).toBe('Cliente 1')
    expect((await list({}, conta)).contatos).toHaveLength(40)
    await tag(150)
    expect(await all({ etiqueta: vip })).toEqual(whole.slice(-150))
    await tag(2100)
    expect(await all({ etiqueta: vip })).toEqual(whole.slice(-2100))
    expect((await conta.request('GET', '/contatos?cursor=quebrado')).status).toBe(400)
    expect((await list({ etiqueta: 'outra' }, conta)).contatos).toEqual([])
  })

  it('refuses a known number, an invalid one, an unknown etiqueta and contatos of other contas', async () => {
    const { id } = await given({ nome: 'Bia', telefone: '11 98222-3344' })
    expect(await create({ telefone: '+55 (11) 8222-3344' })).toMatchObject({
      status: 409,
      body: { codigo: 'contatoExiste', contatoId: id },
    })
    for (const body of [
      { telefone: '8222-3344' },
      { telefone: '' },
      { nome: ' ', telefone: '11982223355' },
      { telefone: '11982223355', etiquetas: [id] },
      { telefone: '11982223355', observacao: 'a'.repeat(2001) },
    ]) {
      expect((await create(body)).status, JSON.stringify(body)).toBe(400)
    }
    expect(await namesOf({ busca: '82223355' })).toEqual([])
    const other = await givenConta(app)
    for (const quem of [other]) {
      expect((await quem.request('GET', `/contatos/${id}`)).status).toBe(404)
      expect((await quem.request('PUT', `/contatos/${id}`, { nome: 'X' })).status).toBe(404)
    }
    expect((await dona.request('GET', '/contatos/nada')).status).toBe(404)
  })

  describe('a customer who was erased on request', () => {
    const erase = async (telefone: string) => (await dona.request('DELETE', `/lgpd/titulares/${telefone}`)).body

    it('is created again only after a confirmation, as contato and by a new conversa', async () => {
      const fields = { nome: 'Iara Volta', telefone: '11 98555-1001' }
      await given(fields)
      await erase(fields.telefone)
      const asked = { ...fields, conferirApagado: true }
      const refused = { status: 409, body: { codigo: 'contatoApagado' } }
      expect(await create(asked)).toMatchObject(refused)
      const { telefone } = fields
      const start = (body: object) => dona.request('POST', '/atendimento/conversas', { telefone, ...body })
      expect(await start({ conferirApagado: true })).toMatchObject(refused)
      expect(await namesOf({ busca: 'iara' })).toEqual([])
      expect((await create({ ...asked, conferirApagado: false })).status).toBe(201)
      // The contato exists now, so nothing is left to confirm.
      expect((await create(asked)).body['codigo']).toBe('contatoExiste')
      expect((await start({ conferirApagado: true })).status).toBe(201)
      const neighbour = await givenConta(app)
      expect((await create(asked, neighbour)).status).toBe(201)
    })

    it('is counted by an import and by its simulation', async () => {
      await given({ nome: 'Ivo Sai', telefone: '11985551002' })
      await erase('11985551002')
      const file = 'Nome;Telefone\nIvo;(11) 98555-1002\nNina;11985551003'
      const expected = { novos: 2, atualizados: 0, iguais: 0, apagados: 1, recusados: [] }
      expect(await imported(file, '?simular=true')).toEqual(expected)
      expect(await imported(file)).toEqual(expected)
      expect(await imported(file)).toMatchObject({ novos: 0, iguais: 2, apagados: 0 })
      const [act] = await app.sql(
        `select detalhe from auditoria where conta_id = $1 and acao = 'contatosImportados' and detalhe like '2 novos%'`,
        [dona.contaId],
      )
      expect(act?.['detalhe']).toBe('2 novos e 0 alterados, 1 dos novos apagado antes')
    })

    it('leaves notas of other contatos with the name, which the answer counts', async () => {
      const conversaId = await givenWaitingCustomer(dona, '5511985551004')
      const texts = ['Indicada por IRACI DA CONCEICAO.', 'prima de Iraci da Conceição', 'Airaci da Conceição, não']
      for (const texto of texts) await dona.request('POST', `/atendimento/conversas/${conversaId}/notas`, { texto })
      await given({ nome: 'Iraci da Conceição', telefone: '11985551005' })
      await given({ nome: 'Iraci', telefone: '11985551006' })
      await given({ nome: 'Íris Sem Nota', telefone: '11985551007' })
      const found = []
      for (const end of [5, 6, 7]) found.push((await erase(`1198555100${end}`))['notasDeOutros'])
      expect(found).toEqual([2, null, 0])
    })
  })

  it('creates one contato for two parallel requests with one number', async () => {
    const replies = await Promise.all([1, 2, 3].map((n) => create({ nome: `N${n}`, telefone: '11982224455' })))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const ids = new Set(replies.map(({ body }) => body['contatoId'] ?? Object(body['contato']).id))
    expect(ids.size).toBe(1)
  })

  it('recognizes a saved customer who writes, and keeps the name of the panel', async () => {
    const saved = await given({ nome: 'Seu Nino', telefone: '11 8333-4455' })
    const conversaId = await givenWaitingCustomer(dona, '5511983334455')
    const [conversa] = (await openConversas(dona)).filter(({ id }) => id === conversaId)
    expect(conversa).toMatchObject({ contatoId: saved.id, cliente: { nome: 'Seu Nino' }, etiquetas: [] })
    expect(conversa?.mensagens[0]?.remetente).toBe('Seu Nino')
    expect(await read(saved.id)).toMatchObject({ conversaAbertaId: conversaId })

    const telefone = '5511983335566'
    await customerSays(dona, telefone, 'oi')
    const [found] = (await list({ busca: telefone })).contatos
    expect(found?.nome).toBe('Bia')
    const socket = await app.connect(vera)
    const vip = await givenEtiqueta('Freguês')
    const change = { nome: 'Beatriz', etiquetas: [vip], observacao: 'paga no Pix' }
    const { status, body } = await vera.request('PUT', `/contatos/${found?.id}`, change)
    expect([status, body['contato']]).toMatchObject([200, { ...change, telefone }])
    await waitUntil(() => socket.received.some(([event]) => event === 'contatoMudou'))
    expect(socket.received.find(([event]) => event === 'contatoMudou')?.[1]).toMatchObject({ contato: change })
    await customerSays(dona, telefone, 'tem bolo?')
    expect(await read(String(found?.id))).toMatchObject(change)
    expect((await dona.request('PUT', `/contatos/${found?.id}`, { etiquetas: [] })).body['contato']).toMatchObject({
      ...{ nome: 'Beatriz', etiquetas: [], observacao: 'paga no Pix' },
    })
  })

  it('keeps name, etiquetas, observações and notas of two contatos that turn out to be one person', async () => {
    const [both, one] = [await givenEtiqueta('Dos dois'), await givenEtiqueta('De um')]
    const phones = ['5511983337701', '5511983337702']
    const conversas = [
      await givenWaitingCustomer(dona, phones[0] ?? ''),
      await givenWaitingCustomer(dona, phones[1] ?? ''),
    ]
    for (const [index, id] of conversas.entries()) {
      const [contato] = (await list({ busca: phones[index] ?? '' })).contatos
      const fields = index === 0 ? { etiquetas: [both] } : { etiquetas: [both, one], nome: 'Nair' }
      await dona.request('PUT', `/contatos/${contato?.id}`, { ...fields, observacao: `texto ${index}` })
      await dona.request('POST', `/atendimento/conversas/${id}/notas`, { texto: `nota ${index}` })
    }
    const canonicos = phones.map((phone) => `tel:${phone}`)
    const seen = { canonicos, telefone: '', seenAt: new Date() }
    await app.deps.db.transaction(dona.contaId, (tx) => joinAddresses(tx, dona.contaId, seen))
    const { contatos } = await list({ busca: 'nair' })
    expect(contatos).toMatchObject([{ etiquetas: [one, both], observacao: expect.stringMatching(/texto 0|texto 1/) }])
    expect(contatos[0]?.observacao.split('\n').toSorted()).toEqual(['texto 0', 'texto 1'])
    const notas = await dona.request('GET', `/atendimento/conversas/${contatos[0]?.conversaAbertaId}/notas`)
    expect(notasRoute.response.parse(notas.body).notas.map(({ texto }) => texto)).toEqual(['nota 1', 'nota 0'])
  })

  describe('two open conversas of contatos that turn out to be one person', () => {
    interface Via {
      readonly telefone: string
      readonly endereco: string
      readonly outrosEnderecos?: readonly string[]
    }
    /** The phone, an address that hides it, and both together. */
    const viasOf = (telefone: string): [phone: Via, hidden: Via, both: Via] => {
      const lid = `${telefone}@lid`
      const phone = { telefone, endereco: telefone }
      return [phone, { telefone: '', endereco: lid }, { ...phone, outrosEnderecos: [lid] }]
    }
    const writes = (via: Via, texto: string) =>
      app.deps.simulador.receive(firstLine(dona.contaId), {
        ...{ id: app.deps.ids.uuid(), nome: 'Bia', texto, enviadaEm: new Date(), ...via },
      })
    /** A customer in a setor who got a text of the panel, and a nota. */
    const givenServed = async (via: Via, setor: string, idTemporario: string): Promise<string> => {
      const before = new Set((await openConversas(dona)).map(({ id }) => id))
      for (const texto of ['oi', 'atendente']) await writes(via, texto)
      const id = (await openConversas(dona)).find((one) => !before.has(one.id))?.id ?? ''
      const act = (path: string, body: object) => dona.request('POST', `/atendimento/conversas/${id}/${path}`, body)
      expect((await act('transferir', { setor })).status).toBe(200)
      expect((await act('mensagem', { mensagem: `resposta de ${setor}`, idTemporario })).status).toBe(200)
      expect((await act('notas', { texto: `nota de ${setor}` })).status).toBe(201)
      return id
    }
    const readAll = async (user: TestUser, id: string): Promise<string> =>
      JSON.stringify([
        await user.request('GET', `/atendimento/conversas/${id}/mensagens`),
        await user.request('GET', `/atendimento/conversas/${id}/notas`),
      ])

    it('keeps messages and notas of each setor in the conversa of that setor', async () => {
      const otto = await givenOperador(app, dona, { nome: 'Otto', setores: ['financeiro'] })
      const [phone, hidden, both] = viasOf('5511983337801')
      const money = await givenServed(hidden, 'financeiro', 'um')
      const sales = await givenServed(phone, 'vendas', 'dois')
      await writes(phone, 'quero comprar')
      await writes(both, 'sou eu nos dois')
      const [ofSales, ofMoney] = [await readAll(vera, sales), await readAll(otto, money)]
      for (const text of ['resposta de vendas', 'nota de vendas', 'sou eu nos dois']) expect(ofSales).toContain(text)
      for (const text of ['resposta de financeiro', 'nota de financeiro']) expect(ofMoney).toContain(text)
      expect([ofSales.includes('financeiro'), ofMoney.includes('vendas')]).toEqual([false, false])
      expect(await readAll(vera, money)).not.toContain('de financeiro')
      expect((await openConversas(dona)).map(({ id }) => id)).toContain(sales)
      expect(JSON.stringify(await dona.request('GET', '/logs'))).toMatch(
        /falava com dois setores. A conversa \S+ terminou/,
      )
    })

    it('joins two conversas with equal temporary ids and stores the message', async () => {
      const [phone, hidden, both] = viasOf('5511983337901')
      const conversas = [await givenServed(phone, 'vendas', 'igual'), await givenServed(hidden, 'vendas', 'igual')]
      await writes(both, 'chegou?')
      const [kept] = (await openConversas(dona)).filter(({ id }) => conversas.includes(id))
      const texts = await readAll(vera, String(kept?.id))
      expect(texts).toContain('chegou?')
      expect(texts.match(/resposta de vendas/g)).toHaveLength(2)
      expect(texts.match(/nota de vendas/g)).toHaveLength(2)
    })
  })

  it('hides the open conversa of another setor from an operador', async () => {
    const conversaId = await givenWaitingCustomer(dona, '5511983336677')
    await dona.request('POST', `/atendimento/conversas/${conversaId}/transferir`, { setor: 'financeiro' })
    const [ofDona] = (await list({ busca: '5511983336677' })).contatos
    const [ofVera] = (await list({ busca: '5511983336677' }, vera)).contatos
    expect([ofDona?.conversaAbertaId, ofVera?.id]).toEqual([conversaId, ofDona?.id])
    expect(ofVera).not.toHaveProperty('conversaAbertaId')
  })
})

describe('etiquetas', () => {
  it('has unique names, and leaves every contato and conversa when it is deleted', async () => {
    const vip = await givenEtiqueta(' Promoção ')
    expect((await dona.request('POST', '/etiquetas', { nome: 'PROMOCAO', cor: 'red' })).body).toMatchObject({
      codigo: 'etiquetaExiste',
    })
    const other = await givenEtiqueta('Atacado')
    expect((await vera.request('PUT', `/etiquetas/${other}`, { nome: 'promoção' })).status).toBe(409)
    const renamed = await vera.request('PUT', `/etiquetas/${other}`, { nome: 'atacado', cor: 'purple' })
    expect(renamed).toMatchObject({ status: 200, body: { etiqueta: { id: other, nome: 'atacado', cor: 'purple' } } })
    expect((await etiquetas()).map(({ nome }) => nome)).toEqual(['atacado', 'De um', 'Dos dois', 'Freguês', 'Promoção'])
    for (const body of [{ nome: '' }, { nome: 'a'.repeat(41) }, { nome: 'x', cor: 'marrom' }]) {
      expect((await dona.request('POST', '/etiquetas', body)).status).toBe(400)
    }

    const conversaId = await givenWaitingCustomer(dona, '5511984440001')
    const [contato] = (await list({ busca: '5511984440001' })).contatos
    await dona.request('PUT', `/contatos/${contato?.id}`, { etiquetas: [vip, other, vip] })
    const socket = await app.connect(vera)
    const announced = (): unknown[] =>
      socket.received.flatMap(([event, data]) => (event === 'contatoMudou' ? [data] : []))
    await dona.request('PUT', `/etiquetas/${other}`, { cor: 'red' })
    await waitUntil(() => announced().length === 1)
    expect(announced()).toMatchObject([{ contato: { id: contato?.id, etiquetas: [other, vip] } }])
    const tagged = await openConversas(dona, `?etiqueta=${vip}`)
    expect(tagged.map(({ id, etiquetas: ids }) => [id, ids])).toEqual([[conversaId, [other, vip]]])
    expect((await dona.request('DELETE', `/etiquetas/${vip}`)).status).toBe(204)
    expect((await dona.request('DELETE', `/etiquetas/${vip}`)).status).toBe(404)
    await waitUntil(() => announced().length === 2)
    expect(announced().at(-1)).toMatchObject({ contato: { id: contato?.id, etiquetas: [other] } })
    const unused = await givenEtiqueta('Sem ninguém')
    await dona.request('PUT', `/etiquetas/${unused}`, { nome: 'Ainda sem ninguém' })
    await waitUntil(() => announced().length === 3)
    await dona.request('DELETE', `/etiquetas/${unused}`)
    await waitUntil(() => announced().length === 4)
    expect((await read(String(contato?.id))).etiquetas).toEqual([other])
    expect(await openConversas(dona, `?etiqueta=${vip}`)).toEqual([])
    expect((await openConversas(dona, `?etiqueta=${other}`)).map(({ id }) => id)).toEqual([conversaId])
  })

  it('records renamed and deleted etiquetas in the audit with the person', async () => {
    const id = await givenEtiqueta('Some')
    await vera.request('PUT', `/etiquetas/${id}`, { nome: 'Sumiu' })
    await vera.request('DELETE', `/etiquetas/${id}`)
    const acts = await app.sql(
      `select acao, quem_nome, detalhe from auditoria where conta_id = $1 and detalhe like '%Sumiu%' order by em, acao`,
      [dona.contaId],
    )
    expect(acts).toEqual([
      { acao: 'etiquetaAlterada', quem_nome: 'Vera', detalhe: 'De “Some” para “Sumiu”.' },
      { acao: 'etiquetaExcluida', quem_nome: 'Vera', detalhe: '“Sumiu”' },
    ])
  })

  it('keeps the limit of 200 etiquetas for parallel requests', async () => {
    const full = await givenConta(app)
    await app.sql(
      `insert into etiquetas (conta_id, id, nome, chave, cor)
       select $1, gen_random_uuid(), 'e' || n, 'e' || n, 'red' from generate_series(1, 195) n`,
      [full.contaId],
    )
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, n) => full.request('POST', '/etiquetas', { nome: `nova ${n}`, cor: 'red' })),
    )
    expect(added.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(added.find(({ status }) => status !== 201)?.body['codigo']).toBe('limitePlano')
  })

  it('filters conversas by operador', async () => {
    const mine = await givenWaitingCustomer(dona, '5511984440002')
    await vera.request('POST', `/atendimento/conversas/${mine}/assumir`)
    const idsOf = async (user: TestUser, operador: string) =>
      (await openConversas(user, `?operador=${operador}`)).map(({ id }) => id)
    expect(await idsOf(vera, 'eu')).toEqual([mine])
    expect(await idsOf(dona, vera.usuario.id)).toEqual([mine])
    expect(await idsOf(dona, 'eu')).not.toContain(mine)
    const free = await idsOf(dona, 'ninguem')
    expect([free.length > 0, free.includes(mine)]).toEqual([true, false])
  })
})

describe('import and export', () => {
  const FILE = [
    'Nome;Telefone;Etiquetas;Observação',
    'Caio;(21) 98555-0001;VIP, Novo;primeira',
    'Dora;21985550002;;',
    'Sem número;;;',
    'Ruim;12;;',
    'Caio;5521985550001;VIP, Novo;primeira',
    'Outro;21985550001;;',
  ].join('\n')

  it('simulates, imports once and finds only equal rows in the same file again', async () => {
    await given({ nome: 'Dorinha', telefone: '21985550002', observacao: 'fica' })
    const recusados = [
      { linha: 4, motivo: 'Sem telefone' },
      { linha: 5, motivo: 'Telefone inválido' },
      { linha: 7, motivo: 'Telefone repetido da linha 2' },
    ]
    const expected = { novos: 1, atualizados: 1, iguais: 1, apagados: 0, recusados }
    const before = await list({})
    expect(await imported(FILE, '?simular=true')).toEqual(expected)
    expect(await list({})).toEqual(before)
    expect((await etiquetas()).map(({ nome }) => nome)).not.toContain('VIP')
    expect(await imported(FILE)).toEqual(expected)
    expect(await imported(FILE, '?simular=false')).toEqual({
      ...{ novos: 0, atualizados: 0, iguais: 3, apagados: 0, recusados },
    })
    const [caio] = (await list({ busca: 'Caio' })).contatos
    const names = new Map((await etiquetas()).map(({ id, nome }) => [id, nome]))
    expect(caio).toMatchObject({ telefone: '5521985550001', observacao: 'primeira' })
    expect(caio?.etiquetas.map((id) => names.get(id))).toEqual(['Novo', 'VIP'])
    expect((await list({ busca: 'dora' })).contatos).toMatchObject([{ nome: 'Dora', observacao: 'fica' }])
    const vcard = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Caio\r\nTEL:+5521985550001\r\nEND:VCARD'
    expect(await imported(vcard)).toMatchObject({ novos: 0, iguais: 1 })
  })

  it('imports one file twice in parallel without doubling a contato', async () => {
    const file = `nome,telefone,tags\n${Array.from({ length: 300 }, (_, n) => `Par ${n},2198666${String(n).padStart(4, '0')},Dupla`).join('\n')}`
    const both = await Promise.all([imported(file), imported(file)])
    const sums = both.map(({ novos, iguais }) => [novos, iguais]).toSorted((a, b) => Number(a[0]) - Number(b[0]))
    expect(sums).toEqual([
      [0, 300],
      [300, 0],
    ])
    expect((await list({ busca: 'par 299' })).contatos).toHaveLength(1)
  })

  it('answers other requests while a file that is slow to read is imported', async () => {
    const slow = `BEGIN:VCARD\r\n;ENCODING=QUOTED-PRINTABLE;=\r\n${'a=\r\n'.repeat(90_000)}END:VCARD\r\n`
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    expect(await imported(slow, '?simular=true')).toMatchObject({ novos: 0, recusados: [{ linha: 1 }] })
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(200)
  })

  it('refuses a row that would give a contato more than 30 etiquetas, in the file or with those it has', async () => {
    const tags = (from: number, count: number) => Array.from({ length: count }, (_, n) => `T${from + n}`).join(',')
    const header = 'nome;telefone;etiquetas'
    const reason = 'Mais de 30 etiquetas'
    const tooMany = `${header}\nMuitas;21977770001;${tags(0, 31)}\nPoucas;21977770002;${tags(0, 28)}`
    expect(await imported(tooMany)).toMatchObject({ novos: 1, recusados: [{ linha: 2, motivo: reason }] })
    const more = `${header}\nPoucas;21977770002;${tags(28, 3)}\nNova;21977770003;`
    for (const query of ['?simular=true', '']) {
      expect(await imported(more, query)).toMatchObject({ novos: 1, recusados: [{ linha: 2, motivo: reason }] })
    }
    expect((await list({ busca: 'Poucas' })).contatos[0]?.etiquetas).toHaveLength(28)
  })

  it('reads at most two files at once, one of a conta, and refuses what would wait behind three others', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `C ${n};2197${String(n).padStart(7, '0')}`)
    const file = `nome;telefone\n${rows.join('\n')}`
    const before = process.memoryUsage().rss
    const all = await Promise.all(Array.from({ length: 12 }, () => importFile(file, '?simular=true')))
    expect(process.memoryUsage().rss - before).toBeLessThan(500_000_000)
    const statuses = all.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBe(4)
    expect(all.find(({ status }) => status !== 200)?.body['codigo']).toBe('servidorOcupado')
  })

  it('refuses contatos above 200,000 of a conta, written down or imported', async () => {
    const full = await givenConta(app)
    await app.sql(
      `with i as (select gen_random_uuid() as id from generate_series(1, 199999))
       insert into contatos (conta_id, id, nome, telefone, endereco) select $1, id, 'Ana', '', id::text from i`,
      [full.contaId],
    )
    const file = 'nome;telefone\nBia;21966660001\nCaio;21966660002'
    const refused = await importFile(file, '', full)
    expect([refused.status, refused.body['codigo'], refused.body['limite']]).toEqual([403, 'limitePlano', 200_000])
    expect((await create({ nome: 'Bia', telefone: '21966660001' }, full)).status).toBe(201)
    expect((await create({ nome: 'Caio', telefone: '21966660002' }, full)).status).toBe(403)
  })

  it('refuses unreadable files and operators, and changes nothing', async () => {
    for (const file of ['', 'Nome;Cidade\nAna;Recife', 'Nome;Telefone\n"aberta;2198']) {
      expect((await importFile(file)).status).toBe(400)
    }
    expect((await dona.request('POST', '/contatos/importar')).status).toBe(400)
    expect((await importFile(Buffer.alloc(5_242_881, 'a'))).status).toBe(413)
    expect((await importFile(FILE, '', vera)).status).toBe(403)
    expect((await exported(vera)).status).toBe(403)
  })

  it('exports a safe CSV that imports as only equal rows', async () => {
    await given({ nome: '=cmd|calc', telefone: '+1 202 555 0123', observacao: '-1\n@x;"y"' })
    const { status, headers, bytes } = await exported()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toContain('contatos.csv')
    const text = bytes.toString()
    expect(text.startsWith('\uFEFF"Nome";"Telefone"')).toBe(true)
    expect(text).toContain(`"'=cmd|calc";"'+12025550123"`)
    const total = text.match(/\r\n/g)?.length ?? 0
    expect(total).toBeGreaterThan(300)
    expect(await imported(bytes, '?simular=true')).toEqual({
      ...{ novos: 0, atualizados: 0, iguais: total - 1, apagados: 0, recusados: [] },
    })
  })
})

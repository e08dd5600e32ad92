import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { agendadasRoute } from '@balcao/contract/routes/atendimento-agendadas'
import { type AtendimentoApp, createAtendimentoApp } from '#test/atendimento/atendimento-app.ts'
import { waitUntil } from '#test/app.ts'
import { saveConfig } from '#test/builders.ts'

const MINUTE = 60_000
const DAY = 1_440 * MINUTE
const WARNING = 'Ainda está aí?'

let app: AtendimentoApp
beforeAll(async () => {
  app = await createAtendimentoApp({ timings: { retryWaitsMs: [20, 40], pollMs: 20 } })
})
afterAll(() => app?.close())

const changeAtendimento = (change: (atendimento: Config['atendimento']) => object): Promise<void> =>
  saveConfig(app.dona, (config) => ({ ...config, atendimento: change(config.atendimento) }))

const ended = async (id: string): Promise<Record<string, unknown>> => {
  const [row] = await app.app.sql('select status, motivo_fim from conversas where id = $1', [id])
  return row ?? {}
}
const endedBy = (id: string, motivo: string): Promise<unknown> =>
  waitUntil(async () => (await ended(id))['motivo_fim'] === motivo)

/** Every due timer ran since the clock moved. */
const ran = async (): Promise<void> => {
  const now = new Date(app.app.deps.clock.now())
  await waitUntil(
    async () =>
      (
        await app.app.sql(
          `select 1 from prazos where tipo = 'silencio' and vence_em <= $1
           union all select 1 from agendadas where estado = 'marcada' and enviar_em <= $1 union all select 1 from sinais`,
          [now],
        )
      ).length === 0,
  )
  await app.app.idle()
}

/** The server looks for due work from now on, and the work that it found is done. */
async function looksAgain(): Promise<void> {
  for (let look = 0; look < 2; look += 1) {
    await app.app.sql('insert into sinais (conta_id) values ($1)', [app.dona.contaId])
    await waitUntil(async () => (await app.app.sql('select 1 from sinais where contato_id is null')).length === 0)
  }
  await app.app.idle()
}

async function served(): Promise<{ id: string; telefone: string }> {
  const customer = await app.newWaitingCustomer()
  await says(customer.id, 'Bom dia!')
  return customer
}

async function says(id: string, mensagem: string): Promise<void> {
  expect((await app.dona.act(id, 'mensagem', { mensagem })).status).toBe(200)
  await waitUntil(async () => (await app.app.sql('select 1 from saida')).length === 0)
}

const count = async (telefone: string, text: string): Promise<number> =>
  (await app.textsOnPhone(telefone)).filter((one) => one === text).length

describe('silence of the customer', () => {
  beforeAll(() =>
    changeAtendimento((atendimento) => ({
      ...atendimento,
      inatividade: { ativa: true, avisoMinutos: 60, aviso: WARNING, encerrarMinutos: 30 },
    })),
  )
  afterAll(() => changeAtendimento((atendimento) => ({ ...atendimento, inatividade: { ativa: false } })))

  it('warns once, says goodbye without a question and ends the conversa', async () => {
    const { id, telefone } = await served()
    const { id: waiting } = await app.newWaitingCustomer()
    app.app.advance(59 * MINUTE)
    await ran()
    expect(await count(telefone, WARNING)).toBe(0)
    app.app.advance(2 * MINUTE)
    await waitUntil(async () => (await count(telefone, WARNING)) === 1)
    app.app.advance(15 * MINUTE)
    await ran()
    expect(await ended(id)).toMatchObject({ status: 'em_atendimento' })
    app.app.advance(16 * MINUTE)
    await endedBy(id, 'inatividade')
    await waitUntil(async () => (await app.textsOnPhone(telefone)).at(-1)?.startsWith('🙏') === true)
    expect(await count(telefone, WARNING)).toBe(1)
    await waitUntil(() =>
      app.rui.events.some(({ evento, dados }) => evento === 'conversaFinalizada' && dados.conversaId === id),
    )
    expect((await app.dona.request('GET', `/atendimento/conversas/${id}`)).body['conversa']).toMatchObject({
      ...{ status: 'finalizada', motivoFim: 'inatividade' },
    })
    const { conversas } = conversasHumanasRoute.response.parse(
      (await app.dona.request('GET', '/atendimento/conversas?status=finalizada')).body,
    )
    expect(conversas.find((one) => one.id === id)).toMatchObject({ motivoFim: 'inatividade' })
    // The customer who waits for us stays.
    expect(await ended(waiting)).toMatchObject({ status: 'aguardando' })
  })

  it('never ends with a customer who waits, and starts again after an answer', async () => {
    const { id, telefone } = await served()
    app.app.advance(61 * MINUTE)
    await waitUntil(async () => (await count(telefone, WARNING)) === 1)
    await app.customerSays(telefone, 'estou')
    app.app.advance(5 * 60 * MINUTE)
    await ran()
    expect(await ended(id)).toMatchObject({ status: 'em_atendimento' })
    await says(id, 'Que bom!')
    app.app.advance(61 * MINUTE)
    await waitUntil(async () => (await count(telefone, WARNING)) === 2)
    app.app.advance(31 * MINUTE)
    await endedBy(id, 'inatividade')
  })
})

it('warns a customer behind an older one whose warning fails', async () => {
  await changeAtendimento((atendimento) => ({
    ...atendimento,
    inatividade: { ativa: true, avisoMinutos: 60, aviso: '{nome}, ainda está aí?', encerrarMinutos: 30 },
  }))
  const bad = await served()
  await app.app.sql(`update contatos set nome = 'Defeito' where telefone = $1`, [bad.telefone])
  const good = await served()
  await app.app.sql(
    `create function defeito() returns trigger language plpgsql as 'begin raise exception ''defeito''; end';
     create trigger defeito before insert on mensagens for each row when (new.texto like 'Defeito,%') execute function defeito()`,
  )
  app.app.advance(61 * MINUTE)
  await waitUntil(async () => (await count(good.telefone, 'Bia, ainda está aí?')) === 1)
  expect(await ended(bad.id)).toMatchObject({ status: 'em_atendimento' })
  await app.app.sql('drop trigger defeito on mensagens')
  await changeAtendimento((atendimento) => ({ ...atendimento, inatividade: { ativa: false } }))
})

it('runs the timers of a conta behind 300 older ones of a conta whose work fails', async () => {
  const { contaId } = app.vizinha
  await app.app.sql(
    `with novos as (
       insert into contatos (conta_id, id, nome, telefone, endereco)
       select $1, gen_random_uuid(), 'Muda', '', 'muda:' || n from generate_series(1, 300) n returning conta_id, id
     ), novas as (
       insert into conversas (conta_id, id, contato_id, status, protocolo)
       select conta_id, id, id, 'em_atendimento', 'M' || id from novos returning conta_id, id
     )
     insert into prazos (conta_id, conversa_id, tipo, vence_em) select conta_id, id, 'silencio', '2026-01-01' from novas`,
    [contaId],
  )
  await app.app.sql(`update configuracoes set dados = '{"menu": 1}' where conta_id = $1`, [contaId])
  await changeAtendimento((atendimento) => ({
    ...atendimento,
    inatividade: { ativa: true, avisoMinutos: 60, aviso: WARNING, encerrarMinutos: 30 },
  }))
  const { telefone } = await served()
  app.app.advance(61 * MINUTE)
  await waitUntil(async () => (await count(telefone, WARNING)) === 1)
  await app.app.sql('delete from prazos where conta_id = $1', [contaId])
  await changeAtendimento((atendimento) => ({ ...atendimento, inatividade: { ativa: false } }))
})

describe('scheduled messages', () => {
  const inMs = (ms: number): string => new Date(app.app.deps.clock.now().getTime() + ms).toISOString()
  const schedule = (id: string, body: object) =>
    app.dona.request('POST', `/atendimento/conversas/${id}/agendadas`, { mensagem: 'Lembrete', ...body })
  const list = async (id: string) =>
    agendadasRoute.response.parse((await app.dona.request('GET', `/atendimento/conversas/${id}/agendadas`)).body)
      .agendadas
  const becomes = (id: string, estado: string, motivo?: string): Promise<unknown> =>
    waitUntil(async () => {
      const [one] = await list(id)
      return one?.estado === estado && one.motivo === motivo
    })

  it('sends at its time once, as a message of its author, also while another person serves', async () => {
    const { id, telefone } = await served()
    const { status, body } = await schedule(id, { enviarEm: inMs(2 * MINUTE) })
    expect(status).toBe(201)
    expect(body['agendada']).toMatchObject({ conversaId: id, mensagem: 'Lembrete', autor: 'Dona', estado: 'marcada' })
    await app.app.sql(`update conversas set operador_id = $2, operador = 'Rui' where id = $1`, [id, app.rui.id])
    app.app.advance(2 * MINUTE)
    await becomes(id, 'enviada')
    await waitUntil(async () => (await count(telefone, 'Lembrete')) === 1)
    const shown = (await app.dona.list()).find((one) => one.id === id)
    expect([shown?.operador, shown?.mensagens.at(-1)]).toMatchObject(['Rui', { texto: 'Lembrete', tipo: 'enviada' }])
    const heard = app.rui.events.flatMap(({ evento, dados }) => (evento === 'agendadaMudou' ? [dados] : []))
    expect(heard.filter(({ conversaId }) => conversaId === id).map(({ agendada }) => agendada.estado)).toEqual([
      ...['marcada', 'enviada'],
    ])
  })

  it('is cancelled by an answer, by a person and by PARAR', async () => {
    const answered = await served()
    await schedule(answered.id, { enviarEm: inMs(DAY) })
    await app.customerSays(answered.telefone, 'obrigada!')
    await becomes(answered.id, 'cancelada', 'clienteRespondeu')

    const kept = await served()
    await schedule(kept.id, { enviarEm: inMs(DAY), cancelarSeResponder: false })
    await app.customerSays(kept.telefone, 'obrigada!')
    await ran()
    await becomes(kept.id, 'marcada')
    const [one] = await list(kept.id)
    const path = `/atendimento/agendadas/${one?.id}`
    expect((await app.vizinha.request('DELETE', path)).status).toBe(404)
    expect((await app.rui.request('DELETE', path)).status).toBe(204)
    expect((await app.rui.request('DELETE', path)).status).toBe(204)
    await becomes(kept.id, 'cancelada', 'pessoa')

    const stopped = await served()
    await schedule(stopped.id, { enviarEm: inMs(2 * MINUTE) })
    await app.app.sql(
      `update contatos set estado = estado || '{"paradoEm": 1}' where id = (select contato_id from conversas where id = $1)`,
      [stopped.id],
    )
    app.app.advance(3 * MINUTE)
    await becomes(stopped.id, 'cancelada', 'pediuParada')
    expect(await count(stopped.telefone, 'Lembrete')).toBe(0)
  })

  it('waits an hour after a jump of the clock, and sends nothing when the clock is corrected', async () => {
    await changeAtendimento((atendimento) => ({
      ...atendimento,
      inatividade: { ativa: true, avisoMinutos: 60, aviso: WARNING, encerrarMinutos: 30 },
    }))
    const { id, telefone } = await served()
    await schedule(id, { enviarEm: inMs(120 * MINUTE) })
    const sent = async (): Promise<number[]> => [await count(telefone, 'Lembrete'), await count(telefone, WARNING)]
    app.app.jump(DAY)
    await looksAgain()
    app.app.advance(59 * MINUTE)
    await looksAgain()
    app.app.jump(-DAY)
    await looksAgain()
    expect(await sent()).toEqual([0, 0])
    app.app.jump(DAY)
    await looksAgain()
    expect(await sent()).toEqual([0, 0])
    app.app.advance(61 * MINUTE)
    await becomes(id, 'enviada')
    await waitUntil(async () => (await count(telefone, 'Lembrete')) === 1)
    await changeAtendimento((atendimento) => ({ ...atendimento, inatividade: { ativa: false } }))
  })

  it('reopens a finished conversa of the last 7 days and fails for an older one', async () => {
    const recent = await served()
    const old = await served()
    for (const { id } of [recent, old]) await app.dona.act(id, 'finalizar')
    await schedule(recent.id, { enviarEm: inMs(7 * DAY - MINUTE) })
    await schedule(old.id, { enviarEm: inMs(7 * DAY + MINUTE) })
    app.app.advance(7 * DAY - MINUTE + 1_000)
    await becomes(recent.id, 'enviada')
    await waitUntil(async () => (await count(recent.telefone, 'Lembrete')) === 1)
    expect(await ended(recent.id)).toMatchObject({ status: 'em_atendimento' })
    app.app.advance(2 * MINUTE)
    await becomes(old.id, 'falhou', 'conversaAntiga')
    expect((await schedule(old.id, { enviarEm: inMs(DAY) })).body).toMatchObject({ codigo: 'reabrirVencida' })
  })

  it('stores one message for a request that is repeated after a lost answer', async () => {
    const { id } = await served()
    const enviarEm = inMs(DAY)
    const answers = await Promise.all([1, 2, 3].map(() => schedule(id, { enviarEm })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await list(id)).toHaveLength(1)
    await schedule(id, { enviarEm, cancelarSeResponder: false })
    await schedule(id, { enviarEm, mensagem: 'Outro lembrete' })
    expect(await list(id)).toHaveLength(3)
  })

  it('is sent behind an older one that fails', async () => {
    const [bad, good] = [await served(), await served()]
    await app.app.sql(
      `create function recusa() returns trigger language plpgsql as 'begin raise exception ''recusada''; end';
       create trigger recusa before insert on mensagens for each row when (new.texto = 'Defeito') execute function recusa()`,
    )
    await schedule(bad.id, { mensagem: 'Defeito', enviarEm: inMs(2 * MINUTE) })
    await schedule(good.id, { enviarEm: inMs(3 * MINUTE) })
    app.app.advance(4 * MINUTE)
    await becomes(good.id, 'enviada')
    expect(await list(bad.id)).toMatchObject([{ estado: 'marcada' }])
    await app.app.sql('drop trigger recusa on mensagens')
    await app.dona.request('DELETE', `/atendimento/agendadas/${(await list(bad.id))[0]?.id}`)
  })

  it('fails after five errors and is not tried in between', async () => {
    const { id } = await served()
    await app.app.sql(
      `create trigger recusa before insert on mensagens for each row when (new.texto = 'Defeito') execute function recusa()`,
    )
    await schedule(id, { mensagem: 'Defeito', enviarEm: inMs(2 * MINUTE) })
    const attempts = async (): Promise<unknown> =>
      (await app.app.sql(`select tentativas from agendadas where texto = 'Defeito' and conversa_id = $1`, [id]))[0]?.[
        'tentativas'
      ]
    for (const attempt of [1, 2, 3, 4]) {
      app.app.advance(5 * MINUTE)
      await waitUntil(async () => (await attempts()) === attempt)
    }
    app.app.advance(5 * MINUTE)
    await becomes(id, 'falhou', 'naoEnviada')
    expect(await attempts()).toBe(5)
    await app.app.sql('drop trigger recusa on mensagens')
  })

  it('leaves under a key that no client can take, behind 25 that are refused', async () => {
    const { dona } = app
    const [taken, free] = [await served(), await served()]
    const refused = await dona.act(taken.id, 'mensagem', { mensagem: 'x', idTemporario: 'agendada:1' })
    expect([refused.status, refused.body['codigo']]).toEqual([400, 'dadosInvalidos'])
    const now = inMs(MINUTE)
    // The key of each belongs to a message of another person.
    await app.app.sql(
      `with m as (
         insert into agendadas (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder, estado, criada_em)
         select $1, gen_random_uuid(), $2, 'Presa', $3, $4, 'Dona', false, 'marcada', now() from generate_series(1, 25) returning *)
       insert into mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em, operador_id, id_temporario)
       select $1, uuidv7(), $2, 'saida', 'operador', 'Tomada', 'simulador', 'enviada', now(), $5, 'agendada:' || id from m`,
      [dona.contaId, taken.id, now, dona.id, app.rui.id],
    )
    await schedule(free.id, { mensagem: 'Livre', enviarEm: inMs(2 * MINUTE) })
    app.app.advance(3 * MINUTE)
    await becomes(free.id, 'enviada')
    await waitUntil(async () => (await list(taken.id)).every(({ estado }) => estado === 'falhou'))
    expect((await list(taken.id)).map(({ motivo }) => motivo)).toEqual(Array(25).fill('naoEnviada'))
  })

  it('leaves within two seconds beside 5,000 of another conta, which may have no more', async () => {
    const { vizinha } = app
    const conversaId = randomUUID()
    await app.app.sql(
      `with c as (
         insert into contatos (conta_id, id, nome, telefone, endereco) values ($1, $2, 'Cheia', '', 'cheia') returning id)
       insert into conversas (conta_id, id, contato_id, status, protocolo) select $1, $2, id, 'em_atendimento', 'CHEIA' from c`,
      [vizinha.contaId, conversaId],
    )
    const { id } = await served()
    await schedule(id, { mensagem: 'Na hora', enviarEm: inMs(2 * MINUTE) })
    await app.app.sql(
      `insert into agendadas (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder, estado, criada_em)
       select $1, gen_random_uuid(), $2, 'Muitas', $3, $4, 'Vizinha', false, 'marcada', now() from generate_series(1, 5000)`,
      [vizinha.contaId, conversaId, inMs(MINUTE), vizinha.id],
    )
    const more = await vizinha.request('POST', `/atendimento/conversas/${conversaId}/agendadas`, {
      ...{ mensagem: 'Mais uma', enviarEm: inMs(5 * MINUTE) },
    })
    expect([more.status, more.body['codigo'], more.body['limite']]).toEqual([403, 'limitePlano', 5_000])
    const begun = performance.now()
    app.app.advance(3 * MINUTE)
    await becomes(id, 'enviada')
    expect(performance.now() - begun).toBeLessThan(2_000)
    const left = `select 1 from agendadas where conta_id = $1 and estado = 'marcada'`
    expect((await app.app.sql(left, [vizinha.contaId])).length).toBeGreaterThan(1_000)
    // The bot of that conta is not connected, so its messages would wait for ever.
    for (const table of ['agendadas', 'saida']) {
      await app.app.sql(`delete from ${table} where conta_id = $1`, [vizinha.contaId])
    }
  })

  it('is one of at most 10,000 in a day, cancelled ones included', async () => {
    const { vizinha } = app
    const [conversa] = await app.app.sql('select id from conversas where conta_id = $1', [vizinha.contaId])
    await app.app.sql(
      `insert into agendadas (conta_id, id, conversa_id, texto, enviar_em, autor_id, autor, cancelar_se_responder, estado, criada_em)
       select $1, uuidv7(make_interval(secs => $4)), $2, 'Muitas', now(), $3, 'Vizinha', false, 'cancelada', now()
       from generate_series(1, 10000)`,
      [vizinha.contaId, conversa?.['id'], vizinha.id, (app.app.deps.clock.now().getTime() - Date.now()) / 1_000],
    )
    const more = await vizinha.request('POST', `/atendimento/conversas/${String(conversa?.['id'])}/agendadas`, {
      ...{ mensagem: 'Mais uma', enviarEm: inMs(5 * MINUTE) },
    })
    expect([more.status, more.body['codigo'], more.body['limite']]).toEqual([403, 'limitePlano', 10_000])
    await app.app.sql('delete from agendadas where conta_id = $1', [vizinha.contaId])
  })

  it('refuses other times, unknown conversas and empty texts, and changes nothing', async () => {
    const { id } = await served()
    for (const enviarEm of [inMs(59_000), inMs(90 * DAY + MINUTE), 'amanhã']) {
      expect((await schedule(id, { enviarEm })).body).toMatchObject({ codigo: 'dadosInvalidos' })
    }
    expect((await schedule(id, { enviarEm: inMs(DAY), mensagem: ' ' })).status).toBe(400)
    expect((await schedule(crypto.randomUUID(), { enviarEm: inMs(DAY) })).status).toBe(404)
    const other = await app.vizinha.request('POST', `/atendimento/conversas/${id}/agendadas`, {
      ...{ mensagem: 'oi', enviarEm: inMs(DAY) },
    })
    expect(other.status).toBe(404)
    expect((await app.vizinha.request('GET', `/atendimento/conversas/${id}/agendadas`)).status).toBe(404)
    expect(await list(id)).toEqual([])
  })

  it('fails at the daily limit, sends nothing and reopens nothing', async () => {
    const { id, telefone } = await served()
    await schedule(id, { enviarEm: inMs(2 * MINUTE) })
    await app.dona.act(id, 'finalizar')
    await app.app.sql('update contas set limite_mensagens_dia = 1 where id = $1', [app.dona.contaId])
    app.app.advance(3 * MINUTE)
    await becomes(id, 'falhou', 'limiteDiario')
    expect(await count(telefone, 'Lembrete')).toBe(0)
    expect(await ended(id)).toMatchObject({ status: 'finalizada' })
    await app.app.sql('update contas set limite_mensagens_dia = 1000 where id = $1', [app.dona.contaId])
  })

  it('is counted before and after the clearing of its finished conversa', async () => {
    const customers = [await served(), await served(), await served()]
    const ids = customers.map(({ id }) => id)
    for (const id of ids) await schedule(id, { enviarEm: inMs(DAY) })
    for (const id of ids.slice(1)) await app.dona.act(id, 'finalizar')
    expect((await app.dona.request('GET', '/conversas')).body['agendadas']).toBe(2)
    expect((await app.dona.request('DELETE', '/conversas')).body['agendadas']).toBe(2)
    expect((await list(ids[0] ?? '')).map(({ estado }) => estado)).toEqual(['marcada'])
    expect((await app.dona.request('GET', '/conversas')).body['agendadas']).toBe(0)
    expect((await app.dona.request('DELETE', '/conversas')).body).toMatchObject({ removidas: 0, agendadas: 0 })
    const acts = await app.app.sql(`select detalhe from auditoria where acao = 'conversasLimpas'`)
    expect(acts.map(({ detalhe }) => detalhe)).toEqual([
      expect.stringMatching(/^\d+ conversas, com 2 mensagens agendadas$/),
    ])
    expect(JSON.stringify((await app.dona.request('GET', '/logs')).body)).toContain('com 2 mensagens agendadas')
  })
})

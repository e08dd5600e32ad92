import { afterEach, describe, expect, it } from 'vitest'
import { agendadasRoute } from '@balcao/contract/routes/atendimento-agendadas'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { importarContatosRoute } from '@balcao/contract/routes/contatos'
import { type CrashPoint, IMPORT_CRASH_POINTS } from '#lib/crash-points.ts'
import { waitUntil } from '#test/app.ts'
import { formFile, openConversas } from '#test/builders.ts'
import { createSockets } from '#test/realtime/sockets.ts'
import { createCounter, type Customer, idsOf, REMINDER, SUMMARY, WARNING } from './counter.ts'
import { longIt, SHORT } from './faults.ts'
import { useProcesses } from './fixture.ts'
import type { NodeProcess } from './processes.ts'

const fleet = useProcesses('counter-crash', { size: 1 })
const counter = createCounter(fleet)
const { sql } = counter
const rounds = Array.from({ length: SHORT ? 1 : 5 }, (_, n) => n)

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

function onlyNode(): NodeProcess {
  const [node] = fleet().nodes
  if (node === undefined) throw new Error('a fleet of one has a node')
  return node
}

/** Kills the process and starts it again. */
async function restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const node = onlyNode()
  await node.kill()
  await node.start(env)
}

/** Restarts the process, which kills itself at the point. `cause` runs when the process serves. */
async function diesAt(point: `${CrashPoint}:${number}`, cause = async (): Promise<void> => {}): Promise<void> {
  // The due work begins before the process is ready.
  await restart({ FALHA: point }).then(cause, () => undefined)
  expect(await onlyNode().exited(), point).toBe('SIGKILL')
}

const customersOf = (count: number, create: () => Promise<Customer>): Promise<Customer[]> =>
  Promise.all(Array.from({ length: count }, create))

/** Opens a window, which also connects to each of the next processes. */
function openWindow({ token }: { readonly token: string }): void {
  const sockets = createSockets(onlyNode().url)
  closing.push(sockets.close)
  sockets.open(token)
}

const distribuicao = (modo: 'automatica' | 'manual', semRespostaMinutos = 0) => ({
  distribuicao: { modo, capacidade: 50, semRespostaMinutos },
})
const assigned = (ids: readonly string[]) =>
  sql(
    `select id, operador_id, assumida_em from conversas
     where id = any ($1::uuid[]) and status = 'em_atendimento' order by id`,
    [ids],
  )
const untilQueueServed = (): Promise<true> => waitUntil(async () => (await sql('select 1 from sinais')).length === 0)

describe('kill -9 at a step of an assignment', () => {
  it.for(rounds)('assigns each waiting conversa once after the restart, round %i', async (round) => {
    await counter.changeAtendimento(distribuicao('automatica'))
    const ana = await counter.addOperador(`Ana ${round}`)
    const ids = idsOf(await customersOf(3, counter.waitingCustomer))
    await untilQueueServed()
    await onlyNode().kill()
    // The first pass is that of the window: no person of an earlier round leaves meanwhile.
    await sql('delete from presencas')
    openWindow(ana)

    await diesAt('distribuicao.antes-commit:1')
    expect(await assigned(ids)).toEqual([])
    await diesAt('distribuicao.apos-commit:1')
    const stored = await assigned(ids)
    expect(stored.map(({ operador_id: id }) => id)).toEqual(ids.map(() => ana.usuario.id))
    await restart()
    const shown = await openConversas(ana, '?limite=200')
    for (const id of ids) {
      expect(shown.find((one) => one.id === id)).toMatchObject({ status: 'em_atendimento', operador: ana.usuario.nome })
    }
    await untilQueueServed()
    expect(await assigned(ids)).toEqual(stored)
    await counter.changeAtendimento(distribuicao('manual'))
  })

  longIt?.for(rounds)('returns each unanswered conversa once after the restart, round %i', async (round) => {
    await counter.changeAtendimento(distribuicao('automatica', 60))
    const bia = await counter.addOperador(`Bia ${round}`)
    const ids = idsOf(await customersOf(3, counter.waitingCustomer))
    openWindow(bia)
    await waitUntil(async () => (await assigned(ids)).length === ids.length)
    const due = async (): Promise<void> => {
      await sql(`update prazos set vence_em = now() where tipo = 'resposta' and conversa_id = any ($1::uuid[])`, [ids])
    }
    const passes = () => sql('select 1 from passagens where conversa_id = any ($1::uuid[])', [ids])

    await diesAt('prazo.antes-commit:1', due)
    expect([await assigned(ids), await passes()].map(({ length }) => length)).toEqual([ids.length, 0])
    await diesAt('prazo.apos-commit:1')
    expect([await assigned(ids), await passes()].map(({ length }) => length)).toEqual([0, ids.length])
    await restart()
    await untilQueueServed()
    const waiting = await openConversas(fleet().shop, '?limite=200&status=aguardando')
    expect(waiting.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
    await counter.changeAtendimento(distribuicao('manual'))
  })
})

describe('kill -9 at a step of a silence timer', () => {
  const states = async (ids: readonly string[]): Promise<unknown[]> =>
    (await sql('select status, motivo_fim from conversas where id = any ($1::uuid[]) order by id', [ids])).map(
      ({ status, motivo_fim: reason }) => [status, reason],
    )
  const timers = (ids: readonly string[]) =>
    sql('select conversa_id, avisado_em from prazos where conversa_id = any ($1::uuid[]) order by 1', [ids])
  const moveTimers = async (ids: readonly string[], minutes: number): Promise<void> => {
    await sql(`update prazos set vence_em = now() + make_interval(mins => $2) where conversa_id = any ($1::uuid[])`, [
      ...[ids, minutes],
    ])
  }

  it.for(rounds)('warns and ends each conversa once after the restart, round %i', async () => {
    const inatividade = { ativa: true, avisoMinutos: 60, aviso: WARNING, encerrarMinutos: 60 }
    await counter.changeAtendimento({ inatividade })
    const [silent, warned] = [await counter.servedCustomer(), await counter.servedCustomer()]
    const ids = idsOf([silent, warned])
    await counter.untilSent()
    await counter.age(ids, 200)
    await sql(`update prazos set avisado_em = now() - interval '61 minutes' where conversa_id = $1`, [warned.id])
    // A timer of a bot that is not connected waits another minute.
    const due = async (): Promise<void> => {
      await counter.untilConnected()
      await moveTimers(ids, 0)
    }

    await diesAt('prazo.antes-commit:1', due)
    expect((await timers(ids)).map(({ avisado_em: at }) => at === null)).toEqual([true, false])
    expect(await states(ids)).toEqual(ids.map(() => ['em_atendimento', null]))
    await moveTimers(ids, 60)
    await diesAt('prazo.apos-commit:1', due)
    expect(await timers(ids)).toMatchObject([{ conversa_id: silent.id, avisado_em: expect.any(Date) }])
    expect(await states(ids)).toEqual([
      ['em_atendimento', null],
      ['finalizada', 'inatividade'],
    ])
    await restart()
    await counter.untilConnected()
    await counter.untilSent()
    const onPhone = [
      ...[await counter.countOnPhone(silent, WARNING), await counter.countOnPhone(warned, WARNING)],
      ...[await counter.countOnPhone(silent, '🙏'), await counter.countOnPhone(warned, '🙏')],
    ]
    expect(onPhone).toEqual([1, 0, 0, 1])
    const listed = (await openConversas(fleet().shop, '?limite=200')).map(({ id }) => id)
    expect(listed.filter((id) => ids.includes(id))).toEqual([silent.id])
    await counter.changeAtendimento({ inatividade: { ...inatividade, ativa: false } })
  })
})

describe('kill -9 at a step of a scheduled message', () => {
  const COUNT = SHORT ? 1 : 5
  const LEAVING = SHORT
    ? (['saida.enviada'] as const)
    : (['saida.reivindicada', 'saida.enviada', 'saida.marcada'] as const)
  const waiting = async (ids: readonly string[]): Promise<number> =>
    (await sql(`select 1 from agendadas where estado = 'marcada' and conversa_id = any ($1::uuid[])`, [ids])).length
  const stored = async (ids: readonly string[]): Promise<number> =>
    (await sql('select 1 from mensagens where texto = $1 and conversa_id = any ($2::uuid[])', [REMINDER, ids])).length

  it.for(rounds)('sends each message once after the restart, round %i', async (round) => {
    const all = await customersOf(COUNT, counter.servedCustomer)
    const ids = idsOf(all)
    await counter.untilSent()
    for (const customer of all) await counter.schedule(customer)
    const due = async (): Promise<void> => {
      await sql('update agendadas set enviar_em = now() where conversa_id = any ($1::uuid[])', [ids])
    }

    const nth = 1 + Math.floor(fleet().random() * COUNT)
    await diesAt(`agendada.antes-commit:${nth}`, due)
    expect([await waiting(ids), await stored(ids)]).toEqual([COUNT - nth + 1, nth - 1])
    await diesAt('agendada.apos-commit:1')
    expect([await waiting(ids), await stored(ids)]).toEqual([COUNT - nth, nth])
    // The message is stored and did not leave.
    await diesAt(`${LEAVING[round % LEAVING.length] ?? 'saida.enviada'}:1`)
    await restart()
    await waitUntil(async () => (await waiting(ids)) === 0)
    await counter.untilSent()
    expect(await stored(ids)).toBe(COUNT)
    for (const customer of all) {
      expect(await counter.countOnPhone(customer, REMINDER)).toBe(1)
      const { body } = await counter.dono().request('GET', `/atendimento/conversas/${customer.id}/agendadas`)
      expect(agendadasRoute.response.parse(body).agendadas.map(({ estado }) => estado)).toEqual(['enviada'])
    }
  })
})

describe('kill -9 between an end and its farewell', () => {
  const COUNT = SHORT ? 1 : 3
  const waiting = async (ids: readonly string[]): Promise<number> =>
    (await sql('select 1 from despedidas where conversa_id = any ($1::uuid[])', [ids])).length

  it.for(rounds)('sends each farewell once after the restart, round %i', async () => {
    const all = await customersOf(COUNT, counter.servedCustomer)
    const ids = idsOf(all)
    await counter.untilSent()
    for (const { id } of all) {
      const end = { esperaSegundos: 30 }
      expect((await counter.dono().request('POST', `/atendimento/conversas/${id}/finalizar`, end)).status).toBe(200)
    }
    await onlyNode().kill()
    expect(await waiting(ids)).toBe(COUNT)
    await sql('update despedidas set sair_em = now() where conversa_id = any ($1::uuid[])', [ids])
    await diesAt('despedida.antes-commit:1')
    expect(await waiting(ids)).toBe(COUNT)
    await diesAt('despedida.apos-commit:1')
    expect(await waiting(ids)).toBe(0)
    await diesAt('saida.enviada:1')
    await restart()
    await counter.untilConnected()
    await counter.untilSent()
    for (const customer of all) {
      expect(await counter.countOnPhone(customer, '🙏')).toBe(1)
      expect(await counter.countOnPhone(customer, '⭐')).toBe(1)
    }
  })
})

describe('kill -9 while a change of a sent message leaves', () => {
  const FIRST = 'Bom dia!'
  const NEXT = 'Boa tarde!'
  const queued = async (): Promise<number> => (await sql('select 1 from saida')).length
  const lastOf = async ({ id }: Customer) => {
    const { body } = await counter.dono().request('GET', `/atendimento/conversas/${id}`)
    return conversaHumanaRoute.response.parse(body).conversa.mensagens.at(-1)
  }

  it.for(rounds)('edits and deletes each message once after the restart, round %i', async () => {
    const [edited, deleted] = [await counter.servedCustomer(), await counter.servedCustomer()]
    await counter.untilSent()
    const change = (customer: Customer, method: 'PUT' | 'DELETE') => async (): Promise<void> => {
      await counter.untilConnected()
      const path = `/atendimento/mensagens/${(await lastOf(customer))?.id}`
      // The process may die before its answer.
      const body = method === 'PUT' ? { texto: NEXT } : undefined
      await counter
        .dono()
        .request(method, path, body)
        .catch(() => undefined)
    }
    for (const [customer, method] of [
      [edited, 'PUT'],
      [deleted, 'DELETE'],
    ] as const) {
      await diesAt('saida.reivindicada:1', change(customer, method))
      expect(await queued()).toBe(1)
      await diesAt('saida.enviada:1')
      await restart()
      await counter.untilConnected()
      await counter.untilSent()
    }
    expect([await counter.countOnPhone(edited, FIRST), await counter.countOnPhone(edited, NEXT)]).toEqual([0, 1])
    expect(await counter.countOnPhone(deleted, FIRST)).toBe(0)
    expect(await lastOf(edited)).toMatchObject({ texto: FIRST, edicao: NEXT, editada: true })
    expect(await lastOf(deleted)).toMatchObject({ texto: FIRST, apagada: true })
  })
})

describe('kill -9 at a step of the daily summary', () => {
  const due = () => sql('select 1 from regras_atendimento where resumo_em <= now()')

  it.for(rounds)('sends it once after the restart, round %i', async (round) => {
    const owner = { id: '', telefone: `551196600000${round}` }
    await counter.summarize(owner)
    await diesAt('resumo.antes-commit:1', counter.dueSummary)
    expect(await due()).toHaveLength(1)
    await diesAt('resumo.apos-commit:1')
    expect(await due()).toEqual([])
    await diesAt('saida.enviada:1')
    await restart()
    await counter.untilConnected()
    await counter.untilSent()
    expect(await counter.countOnPhone(owner, SUMMARY)).toBe(1)
  })
})

describe('kill -9 at a step of an import', () => {
  /** More than one statement writes. */
  const ROWS = 2_100
  const points = IMPORT_CRASH_POINTS.filter((point) => !SHORT || /parte-gravada|apos-commit/.test(point))

  let files = 0

  it.for(rounds)('leaves the file whole or absent and accepts it again, round %i', async () => {
    const prefix = `55118${String((files += 1)).padStart(3, '9')}`
    const tag = `Arquivo ${files}`
    const lines = Array.from({ length: ROWS }, (_, n) => `Importado ${n};${prefix}${String(n).padStart(5, '0')};${tag}`)
    const upload = () => {
      const form = new FormData()
      const bytes = Buffer.from(['Nome;Telefone;Etiquetas', ...lines].join('\n'))
      form.set('arquivo', formFile(bytes, 'contatos.csv', 'text/csv'))
      return counter.dono().request('POST', '/contatos/importar', form)
    }
    const counts = async (): Promise<unknown[]> => {
      const [row] = await sql(
        `select (select count(*)::int from contatos where telefone like $1) as contatos,
           (select count(*)::int from etiquetas where nome = $2) as etiquetas,
           (select count(*)::int from auditoria where acao = 'contatosImportados') as atos`,
        [`${prefix}%`, tag],
      )
      return [row?.['contatos'], row?.['etiquetas'], row?.['atos']]
    }
    const absent = await counts()
    const whole = [ROWS, 1, Number(absent[2]) + 1]
    for (const point of points) {
      await diesAt(`${point}:1`, () => expect(upload()).rejects.toThrow('fetch failed'))
      expect(await counts(), point).toEqual(point === 'importacao.apos-commit' ? whole : absent)
    }
    await restart()
    const { status, body } = await upload()
    expect(status).toBe(200)
    expect(importarContatosRoute.response.parse(body)).toEqual({
      apagados: 0,
      novos: 0,
      atualizados: 0,
      iguais: ROWS,
      recusados: [],
    })
    expect(await counts()).toEqual([ROWS, 1, Number(absent[2]) + 2])
  })
})

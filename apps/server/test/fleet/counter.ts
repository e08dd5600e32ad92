import { expect } from 'vitest'
import type { Config } from '@balcao/contract/entities/config'
import { PASSWORD, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, givenOperador, givenWaitingCustomer, saveConfig } from '#test/builders.ts'
import type { FleetFixture } from './fixture.ts'
import { at, type NodeProcess } from './processes.ts'

export const WARNING = 'Ainda está aí?'
export const REMINDER = 'Lembrete'
export const SUMMARY = '☀️'

export interface Customer {
  /** Of the conversa. */
  readonly id: string
  readonly telefone: string
}

export const idsOf = (customers: readonly Customer[]): string[] => customers.map(({ id }) => id)

/** A queue of customers and the people who serve them, in a fleet of processes. */
export interface Counter {
  /** Requests of the dono to a node that runs. */
  readonly dono: () => Pick<TestUser, 'request'>
  readonly sql: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>
  readonly changeAtendimento: (change: Partial<Config['atendimento']>) => Promise<void>
  readonly addOperador: (nome: string) => Promise<TestUser>
  readonly waitingCustomer: () => Promise<Customer>
  /** The dono took the conversa and wrote last. */
  readonly servedCustomer: () => Promise<Customer>
  /** Moves the messages of these conversas into the past. */
  readonly age: (ids: readonly string[], minutes: number) => Promise<void>
  /** Schedules a message for a later hour. */
  readonly schedule: (customer: Customer) => Promise<void>
  /** The owner's phone gets the daily summary, at midnight. */
  readonly summarize: (owner: Customer) => Promise<void>
  /** The summary of yesterday is due now. */
  readonly dueSummary: () => Promise<void>
  /** How often the customer received this text. */
  readonly countOnPhone: (customer: Customer, text: string) => Promise<number>
  readonly untilConnected: () => Promise<unknown>
  /** Waits until no message is queued. */
  readonly untilSent: () => Promise<unknown>
}

let phones = 0

export function createCounter(fleet: () => FleetFixture): Counter {
  const running = (): NodeProcess => {
    const node = fleet().nodes.find((one) => one.running())
    if (node === undefined) throw new Error('no node runs')
    return node
  }
  const dono = (): Pick<TestUser, 'request'> => at(running(), fleet().shop)
  const sql: Counter['sql'] = async (text, values = []) =>
    (await fleet().database.owner.query<Record<string, unknown>>(text, values)).rows
  const act = async ({ id }: Customer, action: string, body: object, wanted = 200): Promise<void> => {
    expect((await dono().request('POST', `/atendimento/conversas/${id}/${action}`, body)).status).toBe(wanted)
  }
  const waitingCustomer: Counter['waitingCustomer'] = async () => {
    const telefone = `55119772${String((phones += 1)).padStart(5, '0')}`
    // The bot may be moving to another node.
    const id = await waitUntil(() => givenWaitingCustomer(dono(), telefone).catch(() => null))
    return { id, telefone }
  }
  const changeAtendimento: Counter['changeAtendimento'] = (change) =>
    saveConfig(dono(), (config) => ({ ...config, atendimento: { ...config.atendimento, ...change } }))
  return {
    ...{ dono, sql, waitingCustomer, changeAtendimento },
    summarize: ({ telefone }) => {
      const open = [{ inicio: '00:00', fim: '24:00' }]
      const dias = { seg: open, ter: open, qua: open, qui: open, sex: open, sab: open, dom: open }
      const horario = { fuso: 'America/Sao_Paulo', dias, excecoes: [] }
      return changeAtendimento({ horario, resumoDiario: { ativo: true, hora: '00:00', telefone } })
    },
    dueSummary: async () => {
      await sql('update regras_atendimento set resumo_em = now(), resumo_dia = null')
    },
    addOperador: (nome) => {
      const login = (email: string): Promise<TestUser> => running().login(email, PASSWORD)
      return givenOperador({ login }, { ...fleet().shop, ...dono() }, { nome })
    },
    servedCustomer: async () => {
      const customer = await waitingCustomer()
      await act(customer, 'assumir', {})
      await act(customer, 'mensagem', { mensagem: 'Bom dia!' })
      return customer
    },
    age: async (ids, minutes) => {
      const interval = 'make_interval(mins => $2)'
      await sql(`update mensagens set criada_em = criada_em - ${interval} where conversa_id = any ($1::uuid[])`, [
        ...[ids, minutes],
      ])
    },
    schedule: (customer) => {
      const enviarEm = new Date(Date.now() + 3_600_000).toISOString()
      return act(customer, 'agendadas', { mensagem: REMINDER, enviarEm }, 201)
    },
    countOnPhone: async ({ telefone }, text) =>
      (await chatOf(dono(), telefone)).filter(({ texto }) => texto.startsWith(text)).length,
    untilConnected: () =>
      waitUntil(async () => (await dono().request('GET', '/bot/status')).body['status'] === 'CONECTADO'),
    untilSent: () => waitUntil(async () => (await sql('select 1 from saida')).length === 0),
  }
}

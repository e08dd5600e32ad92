import { describe, expect, it } from 'vitest'
import { REOPEN_MS, type ScheduledFacts, stepScheduled } from './scheduled.ts'

const NOW = 100 * 86_400_000
const facts = (fields: Partial<ScheduledFacts> = {}): ScheduledFacts => ({
  ...{ cancelOnAnswer: true, answered: false, askedToStop: false, authorActive: true, windowOpen: true },
  ...{ authorMayRead: true, finishedAt: null, otherOpen: false },
  ...fields,
})
const sends = (reopen: boolean) => ({ tipo: 'send', reopen })
const ends = (estado: string, motivo: string) => ({ tipo: 'end', estado, motivo })

describe('stepScheduled', () => {
  it.each<[string, Partial<ScheduledFacts>, object]>([
    ['sends in an open conversa', {}, sends(false)],
    ['sends after an answer that does not cancel', { answered: true, cancelOnAnswer: false }, sends(false)],
    ['reopens a conversa that ended 7 days ago', { finishedAt: NOW - REOPEN_MS }, sends(true)],
    ['fails after more than 7 days', { finishedAt: NOW - REOPEN_MS - 1 }, ends('falhou', 'conversaAntiga')],
    ['fails beside another open conversa', { finishedAt: NOW, otherOpen: true }, ends('falhou', 'conversaAberta')],
    ['cancels after an answer', { answered: true, windowOpen: false }, ends('cancelada', 'clienteRespondeu')],
    ['cancels after a request to stop', { askedToStop: true, answered: true }, ends('cancelada', 'pediuParada')],
    ['fails when the window is closed', { windowOpen: false, finishedAt: 0 }, ends('falhou', 'janelaFechada')],
    ['fails when the author left', { authorActive: false }, ends('falhou', 'autorInativo')],
    ['fails when the author may not read it', { authorMayRead: false }, ends('falhou', 'autorSemAcesso')],
  ])('%s', (_, changed, expected) => {
    expect(stepScheduled(facts(changed), NOW)).toEqual(expected)
  })
})

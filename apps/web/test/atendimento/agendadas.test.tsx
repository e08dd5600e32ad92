import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Agendada } from '@balcao/contract/entities/agendada'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { formatSendTime, suggestTime, timeShortcuts } from '#features/atendimento/agendadas/schedule-time.ts'
import { instantOf } from '#shared/form/local-time.ts'
import { DEFAULT_ZONE, setContaZone } from '#shared/time-zone.ts'
import { aviso, button, chat, composer, conversaRow, sentBodies, setupAtendimento, waitForSocket } from './tab.ts'

const open = setupAtendimento()
const PATH = '/atendimento/conversas/c2/agendadas'
const strip = page.getByRole('region', { name: 'Mensagens agendadas' })
const dialog = page.getByRole('dialog', { name: 'Enviar mais tarde' })

const makeAgendada = (fields: Partial<Agendada> = {}): Agendada => ({
  ...{ id: 'a1', conversaId: 'c2', mensagem: 'Seu pedido chegou', enviarEm: '2099-11-17T12:00:00.000Z' },
  ...{ autor: 'Ana Ribeiro', cancelarSeResponder: true, estado: 'marcada' },
  ...fields,
})

async function openDialog(): Promise<void> {
  await button('Mais ações').click()
  await page.getByRole('menuitem', { name: 'Enviar mais tarde' }).click()
}

describe('Enviar mais tarde', () => {
  afterEach(() => setContaZone(DEFAULT_ZONE))

  it.each(['America/Rio_Branco', 'America/Sao_Paulo', 'Europe/Lisbon'])('reads and offers times in %s', (zone) => {
    setContaZone(zone)
    const now = Date.parse('2026-11-23T12:10:00Z')
    const hour = { 'America/Rio_Branco': '09', 'America/Sao_Paulo': '11', 'Europe/Lisbon': '14' }[zone]
    expect(suggestTime(now)).toBe(`2026-11-23T${hour}:00`)
    expect(instantOf(suggestTime(now))).toBe(Date.parse('2026-11-23T14:00:00Z'))
    expect(instantOf('')).toBeNaN()
  })

  it.each(['America/Rio_Branco', 'Europe/Lisbon'])('offers tomorrow, Monday and two hours in %s', (zone) => {
    setContaZone(zone)
    // A Friday evening in Rio Branco is a Saturday in Lisbon.
    const now = Date.parse('2026-11-28T01:30:00Z')
    const there = zone === 'Europe/Lisbon'
    expect(timeShortcuts(now)).toEqual([
      { label: 'Amanhã, 8h', time: there ? '2026-11-29T08:00' : '2026-11-28T08:00' },
      { label: 'Segunda, 9h', time: '2026-11-30T09:00' },
      { label: 'Em 2 horas', time: there ? '2026-11-28T03:30' : '2026-11-27T22:30' },
    ])
    const monday = Date.parse('2026-11-30T15:00:00Z')
    expect(timeShortcuts(monday)[1]?.time).toBe('2026-12-07T09:00')
    expect(formatSendTime('2026-11-30T15:30:00Z', monday)).toBe(there ? 'hoje, 15:30' : 'hoje, 10:30')
  })

  it('schedules a draft for tomorrow at 8 with three presses and says when', async () => {
    const screen = open({}, '/dashboard?aba=atendimento&c=c2')
    screen.api.on(`POST ${PATH}`, ({ body }) => ok({ agendada: makeAgendada({ ...Object(body), id: 'a3' }) }))
    await composer.fill('Seu bolo está pronto')
    await button('Enviar mais tarde').click()
    await dialog.getByRole('button', { name: 'Amanhã, 8h' }).click()
    await dialog.getByRole('button', { name: 'Agendar' }).click()
    await expect.element(aviso('Agendada para amanhã, 8:00')).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(composer).toHaveValue('')
    await expect.element(composer).toHaveFocus()
    const [tomorrow] = timeShortcuts(Date.now())
    expect(sentBodies(screen, `POST ${PATH}`)).toEqual([
      {
        ...{ mensagem: 'Seu bolo está pronto', cancelarSeResponder: true },
        enviarEm: new Date(instantOf(tomorrow?.time ?? '')).toISOString(),
      },
    ])
  })

  it('schedules a message, refuses an empty one and closes', async () => {
    const screen = open({}, '/dashboard?aba=atendimento&c=c2')
    let busy = true
    screen.api.on(`POST ${PATH}`, ({ body }) =>
      busy
        ? refusal(503, 'indisponivel', 'O banco está ocupado.')
        : ok({ agendada: makeAgendada({ ...Object(body), id: 'a2' }) }),
    )
    await openDialog()
    const field = dialog.getByRole('textbox', { name: 'Mensagem' })
    await expect.element(field).toHaveFocus()
    await expect.element(dialog.getByText('Nenhuma mensagem agendada nesta conversa.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Agendar' }).click()
    await expect.element(dialog.getByText('Digite uma mensagem')).toBeVisible()
    await expect.element(field).toHaveFocus()
    await userEvent.fill(field, 'Amanhã abrimos às 8h')
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Agendar' }).click()
    await expect.element(dialog.getByText('Erro ao agendar mensagem: O banco está ocupado.')).toBeVisible()
    busy = false
    await dialog.getByRole('button', { name: 'Agendar' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(strip.getByText('Amanhã abrimos às 8h')).toBeVisible()
    expect(sentBodies(screen, `POST ${PATH}`).at(-1)).toMatchObject({
      mensagem: 'Amanhã abrimos às 8h',
      cancelarSeResponder: true,
    })
  })

  it('cancels a scheduled message and follows the events', async () => {
    const { api } = open({}, '/dashboard?aba=atendimento&c=c2')
    const all = [
      makeAgendada(),
      makeAgendada({ id: 'a0', mensagem: 'Antiga', estado: 'falhou', motivo: 'limiteDiario' }),
    ]
    api.on(`GET ${PATH}`, () => ok({ agendadas: all }))
    api.on('DELETE /atendimento/agendadas/a1', () =>
      refusal(409, 'conflito', 'Esta mensagem não pode mais ser cancelada.'),
    )
    await openDialog()
    await expect.element(dialog.getByText(/O limite diário de mensagens foi atingido/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancelar envio' }).click()
    await expect.element(aviso(/não pode mais ser cancelada/)).toBeVisible()
    const agendada = makeAgendada({ estado: 'cancelada', motivo: 'clienteRespondeu' })
    fakeSocket.emit('agendadaMudou', { userId: CONTA_ID, conversaId: 'c2', agendada })
    await expect.element(dialog.getByText(/O cliente respondeu antes/)).toBeVisible()
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancelar envio' }).query()).toBeNull()
  })
})

describe('Scheduled messages in the chat', () => {
  const changes = (agendada: Agendada): void => {
    fakeSocket.emit('agendadaMudou', { userId: CONTA_ID, conversaId: 'c2', agendada })
  }

  it('shows the next one with time and author, unfolds the others and cancels', async () => {
    sessionStorage.removeItem('agendadas-vistas')
    const screen = open({}, '/dashboard?aba=atendimento&c=c2')
    const later = makeAgendada({ id: 'a3', mensagem: 'Depois', enviarEm: '2099-12-01T12:00:00.000Z' })
    const sent = makeAgendada({ id: 'a0', mensagem: 'Já foi', estado: 'enviada' })
    screen.api.on(`GET ${PATH}`, () => ok({ agendadas: [later, sent, makeAgendada()] }))
    screen.api.on('DELETE /atendimento/agendadas/a1', () => ({ status: 204 }))
    await expect.element(strip.getByText(/^17\/11.*Ana Ribeiro/)).toBeVisible()
    await expect.element(strip.getByText('Seu pedido chegou')).toBeVisible()
    await page.viewport(1366, 768)
    await expect.poll(() => chat.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(0.6 * 768)
    expect(strip.getByText(/Depois/).query()).toBeNull()
    await strip.getByRole('button', { name: 'Mais 1' }).click()
    await expect.element(strip.getByText(/Depois/)).toBeVisible()
    await expectAccessible()
    await strip.getByRole('button', { name: /^Cancelar envio de 17/ }).click()
    await expect.element(strip.getByText('Cancelada. Uma pessoa da equipe cancelou.')).toBeVisible()
    expect(sentBodies(screen, 'DELETE /atendimento/agendadas/a1')).toHaveLength(1)
  })

  it('says that messages leave although their list did not load', async () => {
    const screen = open({}, '/dashboard?aba=atendimento&c=c2')
    screen.api.on(`GET ${PATH}`, () => refusal(400, 'x', 'Não.'))
    await expect
      .element(page.getByText(/A lista de mensagens agendadas não abriu\. Elas saem no horário/))
      .toBeVisible()
    screen.api.on(`GET ${PATH}`, () => ok({ agendadas: [makeAgendada()] }))
    await button('Tentar de novo').click()
    await expect.element(strip.getByText('Seu pedido chegou')).toBeVisible()
  })

  it('says live why a message was not sent, until the person dismisses it', async () => {
    open({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(chat).toBeVisible()
    await waitForSocket()
    const own = makeAgendada({ id: 'a8' })
    // Before the list is read an event changes nothing, so it is sent again.
    await expect
      .poll(() => {
        changes(own)
        return strip.getByRole('button', { name: /^Cancelar/ }).query()
      })
      .not.toBeNull()
    changes({ ...own, estado: 'falhou', motivo: 'janelaFechada' })
    await expect.element(strip.getByText(/^Não enviada\. .*24 horas/)).toBeVisible()
    await page.viewport(320, 640)
    await expect.element(strip.getByRole('button', { name: 'Dispensar' })).toBeInViewport({ ratio: 1 })
    await strip.getByRole('button', { name: 'Dispensar' }).click()
    await expect.poll(() => strip.query()).toBeNull()
  })
})

it('announces a conversa that the server gave to this person', async () => {
  open({}, '/dashboard?aba=atendimento')
  await expect.element(conversaRow('João')).toBeVisible()
  await waitForSocket()
  const taken = { conversaId: 'c2', operadorId: 'u1', operador: 'Ana Ribeiro' }
  fakeSocket.emit('conversaAssumida', { userId: CONTA_ID, ...taken, automatica: true, naoLidas: 1 })
  await expect.element(aviso('Você recebeu a conversa de João Pedro Alves.')).toBeVisible()
})

it('switches between available and away while the conta distributes conversas', async () => {
  const screen = open({}, '/dashboard?aba=atendimento')
  screen.api.on('GET /operadores/eu/disponibilidade', () => ok({ disponivel: true, automatica: true }))
  screen.api.on('PUT /operadores/eu/disponibilidade', () => ({ status: 204, body: undefined }))
  await page.getByRole('switch', { name: 'Disponível' }).click()
  await expect.element(page.getByRole('switch', { name: 'Ausente' })).toHaveAttribute('aria-checked', 'false')
  expect(sentBodies(screen, 'PUT /operadores/eu/disponibilidade')).toEqual([{ disponivel: false }])
})

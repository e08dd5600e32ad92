import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import '../dashboard/fake-socket.ts'
import type { Horario } from '@balcao/contract/entities/config'
import { listFeriados } from '@balcao/contract/presets/feriados'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type PanelTestApp, makeConfig } from '#test/dashboard/panel.tsx'
import { openMensagensTab, aviso, button, cancelButton, editButton, waitForSave, saveButton } from './tab.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

/** January 1 of next year: always a feriado within the next twelve months. */
const ANO = new Date().getFullYear() + 1
const ANO_NOVO = `${ANO}-01-01`
const proximosFeriados = [...listFeriados(ANO - 1), ...listFeriados(ANO)]

function abrir(fields: Partial<Horario> = {}): PanelTestApp {
  const config = makeConfig()
  const excecoes = proximosFeriados.map((feriado) => ({ ...feriado, intervalos: [] }))
  const horario = { ...config.atendimento.horario, excecoes, ...fields }
  painel = openMensagensTab({ config: { ...config, atendimento: { ...config.atendimento, horario } } })
  return painel
}

const section = page.getByRole('heading', { level: 2, name: 'Horário de atendimento' })
const abreAs = (day: string, qual = '') => page.getByLabelText(`${day}: abre às${qual}`, { exact: true })
const fechaAs = (day: string, qual = '') => page.getByLabelText(`${day}: fecha às${qual}`, { exact: true })
const stored = (screen: PanelTestApp): Horario => screen.server.config.atendimento.horario

describe('business hours', () => {
  it('edits breaks, nights, copies, feriados, dates and zone, and saves them', async () => {
    const screen = abrir()
    await section.click()
    await expect.element(page.getByText(/^Agora: (aberto|fechado)/)).toBeVisible()
    await expect.element(page.getByText('08:00 às 18:00').first()).toBeVisible()
    await expect.element(page.getByText('Hora de Brasília', { exact: false })).toBeVisible()
    await expect.poll(() => abreAs('Segunda-feira').query()).toBeNull()

    await editButton.click()
    await fechaAs('Segunda-feira').fill('12:00')
    await button('Mais um período: Segunda-feira').click()
    await expect.element(abreAs('Segunda-feira', ', 2º período')).toHaveValue('13:00')
    await button('Copiar o horário de segunda-feira para outros dias').click()
    await page.getByRole('menuitem', { name: 'Sábado e domingo' }).click()
    await expect.element(fechaAs('Domingo', ', 2º período')).toHaveValue('17:00')
    await button('Remover período de Domingo, 2º período').click()
    await fechaAs('Domingo').fill('00:00')
    await button('Remover período de Sexta-feira').click()
    await fechaAs('Quarta-feira').fill('02:00')
    await expect.element(page.getByText('Passa da meia-noite: fecha às 02:00 do dia seguinte.')).toBeVisible()

    await page.getByRole('switch', { name: /Confraternização Universal/ }).click()
    await expect.element(button('Fechar em todos')).toBeVisible()

    await page.getByLabelText('Dia', { exact: true }).fill(`${ANO}-06-30`)
    await page.getByLabelText('Até (se forem vários)').fill(`${ANO}-06-01`)
    await button('Adicionar data').click()
    await expect.element(page.getByText('O último dia vem antes do primeiro.')).toBeVisible()
    await page.getByLabelText('Até (se forem vários)').fill(`${ANO}-07-02`)
    await page.getByLabelText('Motivo').fill('Férias coletivas')
    await button('Adicionar data').click()
    await expect.element(page.getByText(/30 de junho de \d+ a .*2 de julho de \d+ · fechado/)).toBeVisible()
    await page.getByLabelText('Fuso horário').selectOptions('America/Manaus')

    await saveButton.click()
    await waitForSave()
    const horario = stored(screen)
    expect(horario.dias).toMatchObject({
      seg: [
        { inicio: '08:00', fim: '12:00' },
        { inicio: '13:00', fim: '17:00' },
      ],
      qua: [{ inicio: '08:00', fim: '02:00' }],
      sex: [],
      dom: [{ inicio: '08:00', fim: '24:00' }],
    })
    expect(horario.fuso).toBe('America/Manaus')
    expect(horario.excecoes.some(({ data }) => data === ANO_NOVO)).toBe(false)
    expect(horario.excecoes.filter(({ nome }) => nome === 'Férias coletivas').map(({ data }) => data)).toEqual([
      `${ANO}-06-30`,
      `${ANO}-07-01`,
      `${ANO}-07-02`,
    ])
  })

  it('refuses invalid hours by day and offers {horario} for conflicting texts', async () => {
    const screen = abrir()
    await editButton.click()
    await section.click()
    await abreAs('Terça-feira').fill('18:00')
    await section.click()
    await saveButton.click()
    await expect.element(aviso('Terça-feira: A hora de abrir e a de fechar são iguais.')).toBeVisible()
    // The section with the fault opens automatically.
    await expect.element(abreAs('Terça-feira')).toHaveAttribute('aria-invalid', 'true')
    await abreAs('Terça-feira').fill('08:00')
    await button('Mais um período: Terça-feira').click()
    await abreAs('Terça-feira', ', 2º período').fill('17:00')
    await expect.element(page.getByText(/Dois períodos se sobrepõem/)).toBeVisible()
    await button('Remover período de Terça-feira, 2º período').click()
    await fechaAs('Terça-feira').fill('19:00')

    await button('Usar {horario}').click()
    await saveButton.click()
    await waitForSave()
    const { menu, atendimento } = screen.server.config
    expect(menu.mensagens.foraPeriodo).toContain('atendimento ({horario}).')
    expect(menu.opcoes.find(({ numero }) => numero === '4')?.resposta).toContain('{horario}')
    expect(atendimento.horario.dias.ter).toEqual([{ inicio: '08:00', fim: '19:00' }])
  })

  it('restores on cancel, merges another window’s hours, stays read-only without permission', async () => {
    const screen = abrir()
    await editButton.click()
    await section.click()
    await fechaAs('Segunda-feira').fill('20:00')
    screen.server.config = { ...screen.server.config, versao: 9 }
    await saveButton.click()
    await page.getByRole('button', { name: 'Recarregar e perder minhas alterações' }).click()
    await expect.element(editButton).toBeVisible()
    await expect.element(page.getByText('08:00 às 18:00').first()).toBeVisible()
    expect(stored(screen).dias.seg).toEqual([{ inicio: '08:00', fim: '18:00' }])

    screen.unmount()
    painel = openMensagensTab({
      usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, atendimentoHumano: false } }),
    })
    await editButton.click()
    await section.click()
    await expect.element(page.getByText(/Sua conta não tem o atendimento por pessoas/)).toBeVisible()
    await expect.poll(() => abreAs('Segunda-feira').query()).toBeNull()
    await cancelButton.click()
  })

  it('passes axe', async () => {
    abrir({ dias: { ...makeConfig().atendimento.horario.dias, sab: [{ inicio: '20:00', fim: '02:00' }] } })
    await editButton.click()
    await section.click()
    await page.getByRole('switch', { name: /Fechado o dia todo/ }).click()
    await expect.element(page.getByLabelText('Nova data: abre às')).toBeVisible()
    // At the page end, where the bottom bar does not half-cover small buttons.
    await expectAccessible(() => scrollTo(0, document.body.scrollHeight))
  })
})

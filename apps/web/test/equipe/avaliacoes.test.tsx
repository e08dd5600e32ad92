import '../dashboard/fake-socket.ts'
import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { type PanelTestApp, type PanelServer, makeConfig } from '#test/dashboard/panel.tsx'
import { openEquipePanel, aviso, button, requestBodies, makeOperadorUsuario } from './equipe-panel.ts'
import { AVALIACOES, NO_AVALIACOES } from './samples.ts'

let painel: PanelTestApp | null = null
function abrir(stats: AvaliacaoStats = AVALIACOES, inicial: Partial<PanelServer> = {}): PanelTestApp {
  painel = openEquipePanel('avaliacoes', inicial)
  painel.api.on('GET /atendimento/avaliacoes', () => ok(stats))
  return painel
}

afterEach(async () => {
  painel?.unmount()
  await page.viewport(1366, 800)
})

const line = (table: string, nome: string) =>
  page.getByRole('region', { name: table }).getByRole('row', { name: new RegExp(nome) })

describe('Avaliações', () => {
  it('shows the mean as number and word and the distribution of the notas', async () => {
    abrir()
    const media = page.getByRole('region', { name: 'Nota média' })
    await expect.element(media).toMatchTextContent(/4,3 de 5/)
    await expect.element(media).toMatchTextContent(/Bom80 avaliações/)
    const cinco = page.getByRole('meter', { name: 'Nota 5' })
    await expect.element(cinco).toHaveAttribute('aria-valuenow', '58')
    await expect.element(page.getByRole('listitem').filter({ has: cinco })).toMatchTextContent(/46 \(58%\)/)
    await expect.poll(() => page.getByRole('meter', { name: /^Nota/ }).elements()).toHaveLength(6)
    await expectAccessible()
  })

  it('lists the latest avaliações with customer and operador', async () => {
    abrir()
    const last = page.getByRole('list', { name: 'Últimas avaliações' }).getByRole('listitem')
    const joao = last.filter({ hasText: 'João Pedro Alves' })
    await expect.element(joao).toMatchTextContent(/Nota 3/)
    await expect.element(joao).toMatchTextContent(/\+55 21 91234-5678 · quem atendeu: Carla Menezes/)
    await expect.element(joao).toMatchTextContent(/Suporte.*Protocolo 20261121-0007/)
    await expect.element(last.filter({ hasText: 'Studio Bela Vista' })).not.toMatchTextContent(/quem atendeu/)
  })

  it('compares setores and people and shows a deleted setor by its id', async () => {
    abrir()
    await expect.element(line('Avaliações por setor', 'Vendas')).toMatchTextContent(/484,6/)
    await expect.element(line('Avaliações por setor', 'entregas')).toMatchTextContent(/83,5/)
    await expect.element(line('Avaliações por pessoa', 'Bruno Lima')).toMatchTextContent(/504,5/)
  })

  it('explains when avaliações arrive while there are none', async () => {
    abrir(NO_AVALIACOES)
    await expect.element(page.getByText('Nenhuma avaliação ainda')).toBeVisible()
    await expect.element(page.getByText(/Quando você finaliza uma conversa/)).toBeVisible()
    await expectAccessible()
  })

  it('says that the rating question is switched off', async () => {
    const config = makeConfig()
    const avaliacao = { ...config.atendimento.avaliacao, ativa: false }
    abrir(AVALIACOES, { config: { ...config, atendimento: { ...config.atendimento, avaliacao } } })
    await expect.element(page.getByText('A pergunta da nota está desligada')).toBeVisible()
  })

  it('switches the rating question off and on, over the version on screen', async () => {
    const screen = abrir()
    let versao = 3
    screen.api.on('PUT /config', ({ body }) => {
      versao += 1
      return ok({ sucesso: true, config: { ...makeConfig(), ...Object(body), versao } })
    })
    const control = page.getByRole('switch', { name: /^Pedir nota ao finalizar/ })
    await expect.element(control).toBeChecked()
    // The panel moves the focus to its title after the first paint.
    await expect.element(page.getByRole('heading', { level: 2, name: 'Avaliações', exact: true })).toHaveFocus()
    control.element().focus()
    await userEvent.keyboard(' ')
    await expect.element(page.getByText('A pergunta da nota está desligada')).toBeVisible()
    await expect.element(aviso('O bot não pede mais a nota.')).toBeVisible()
    await expect.element(control).toHaveFocus()
    await expectAccessible()
    await userEvent.keyboard(' ')
    await expect.element(aviso('O bot volta a pedir a nota.')).toBeVisible()
    await expect.poll(() => page.getByText('A pergunta da nota está desligada').query()).toBeNull()
    const saved = requestBodies(screen, 'PUT /config')
    expect(saved).toMatchObject([
      { versao: 3, atendimento: { avaliacao: { ativa: false } }, menu: makeConfig().menu },
      { versao: 4, atendimento: { avaliacao: { ativa: true } } },
    ])
  })

  it('shows the version of another window after a conflict and reports other failures', async () => {
    const { api, server } = abrir()
    const control = page.getByRole('switch', { name: /^Pedir nota ao finalizar/ })
    api.on('PUT /config', () => refusal(409, 'versaoDesatualizada', 'Mudou.', { versao: 4 }))
    const avaliacao = { ...server.config.atendimento.avaliacao, ativa: false }
    await expect.element(control).toBeChecked()
    server.config = { ...server.config, versao: 4, atendimento: { ...server.config.atendimento, avaliacao } }
    await control.click()
    await expect.element(aviso('A configuração mudou em outra janela. Confira e tente de novo.')).toBeVisible()
    expect(page.getByRole('dialog').query()).toBeNull()
    await expect.element(control).not.toBeChecked()
    api.on('PUT /config', () => refusal(403, 'semPermissao', 'Você não tem permissão.'))
    await control.click()
    await expect.element(aviso('Erro ao salvar configurações: Você não tem permissão.')).toBeVisible()
    await expect.element(control).not.toBeChecked()
  })

  it('opens for operadores and reports a missing permission', async () => {
    abrir(AVALIACOES, { usuario: makeOperadorUsuario() })
    await expect.element(page.getByRole('region', { name: 'Nota média' })).toBeVisible()
    await expect.poll(() => page.getByRole('switch').query()).toBeNull()
    painel?.unmount()
    const { api } = abrir()
    api.on('GET /atendimento/avaliacoes', () => refusal(403, 'semPermissao', 'Você não tem permissão.'))
    await expect.element(page.getByText('Acesso Restrito')).toBeVisible()
  })

  it('reports a failure and retries', async () => {
    const { api } = abrir()
    api.on('GET /atendimento/avaliacoes', () => refusal(400, 'desconhecido', 'Erro ao carregar avaliações'))
    await expect.element(page.getByText('Erro ao carregar avaliações')).toBeVisible()
    api.on('GET /atendimento/avaliacoes', () => ok(AVALIACOES))
    await button('Tentar de novo').click()
    await expect.element(page.getByRole('region', { name: 'Nota média' })).toBeVisible()
  })
})

describe('Test of the rating question', () => {
  const telefone = page.getByLabelText('Telefone com DDD')

  it('asks a contato and shows the server’s answer', async () => {
    const screen = abrir()
    const mensagem = 'Pergunta enviada para (11) 98765-4321.'
    screen.api.on('POST /atendimento/teste-avaliacao', () => ok({ mensagem }))
    const apart = page.getByText('Simula a pergunta da nota.', { exact: false })
    await expect.element(apart).toBeVisible()
    await button('Testar avaliação').click()
    await expect.element(page.getByText(/conversando com o bot, essa conversa termina\./)).toBeVisible()
    await button('Simular pergunta').click()
    await expect.element(telefone).toHaveAccessibleDescription('Informe o telefone')
    await telefone.fill('11987654321')
    await expect.element(telefone).toHaveValue('(11) 98765-4321')
    await expectAccessible()
    await button('Simular pergunta').click()
    await expect.element(aviso(mensagem)).toBeVisible()
    expect(requestBodies(screen, 'POST /atendimento/teste-avaliacao')).toEqual([{ whatsappId: '5511987654321' }])
  })

  it('keeps the typed value after a refusal, with the reason beside it', async () => {
    const { api } = abrir(NO_AVALIACOES)
    api.on('POST /atendimento/teste-avaliacao', () => refusal(409, 'botDesconectado', 'O bot não está conectado.'))
    await button('Testar avaliação').click()
    await telefone.fill('+351 912 345 678')
    await button('Simular pergunta').click()
    await expect
      .element(telefone)
      .toHaveAccessibleDescription('Erro ao testar sistema de avaliação: O bot não está conectado.')
    await expect.element(telefone).toHaveValue('+351 912 345 678')
  })
})

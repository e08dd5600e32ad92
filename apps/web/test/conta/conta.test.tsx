import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeBotStatus, openPanel, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { makeOperadorUsuario } from '#test/equipe/equipe-panel.ts'
import { LINHAS } from '#test/atendimento/sample-linhas.ts'
import { ok, refusal } from '#test/fake-api.ts'

const AT = '2026-03-10T15:00:00.000Z'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

function open(initial: Partial<PanelServer> = {}): PanelTestApp {
  painel = openPanel('/conta', initial)
  const session = { criadaEm: AT, ultimoUso: AT, ip: '203.0.113.7', metodo: 'senha' }
  const sessoes = [
    { ...session, id: 's1', atual: true, aparelho: 'Chrome no Windows' },
    { ...session, id: 's2', atual: false, aparelho: 'Safari no iPhone' },
  ]
  painel.api.on('GET /auth/sessoes', () => ok({ sessoes }))
  painel.api.on('GET /disponibilidade', () => ok({ automatica: true, disponivel: true }))
  return painel
}

const aviso = (text: string) => page.getByRole('region', { name: 'Avisos' }).getByText(text)
const field = (label: string) => page.getByLabelText(label, { exact: true })

describe('Minha conta', () => {
  it('saves name and phone', async () => {
    const { api, server } = open()
    api.on('PUT /auth/eu', ({ body }) => {
      server.usuario = { ...server.usuario, ...Object(body) }
      return ok({ usuario: server.usuario })
    })
    await field('Nome').fill('Ana R. Souza')
    await field('Telefone').fill('11 91111-2222')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(aviso('Seus dados foram salvos.')).toBeVisible()
    const request = api.calls.find(({ route }) => route === 'PUT /auth/eu')
    expect(request?.body).toEqual({ nome: 'Ana R. Souza', telefone: '11 91111-2222' })
    expect(localStorage.getItem('user')).toContain('Ana R. Souza')
    await expectAccessible()
  })

  it('shows a refusal beside its field', async () => {
    const { api } = open()
    await field('Nome').fill(' ')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(field('Nome')).toHaveAccessibleDescription(/Nome é obrigatório/)
    api.on('PUT /auth/eu', () =>
      refusal(400, 'dadosInvalidos', 'Dados inválidos', {
        detalhes: [{ caminho: 'telefone', mensagem: 'Use só números' }],
      }),
    )
    await field('Nome').fill('Ana')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(field('Telefone')).toHaveAccessibleDescription('Use só números')
  })

  it('changes the password after checks beside the fields', async () => {
    const { api } = open()
    const change = page.getByRole('button', { name: 'Trocar a senha' })
    await field('Senha atual').fill('pao-quentinho')
    await field('Nova senha').fill('bolo-de-fuba')
    await field('Repetir a nova senha').fill('outra')
    await change.click()
    await expect.element(field('Repetir a nova senha')).toHaveAccessibleDescription('Senhas não coincidem')
    await field('Repetir a nova senha').fill('bolo-de-fuba')
    api.on('PUT /auth/senha', () => refusal(403, 'senhaAtualIncorreta', 'Senha atual incorreta.'))
    await change.click()
    await expect.element(field('Senha atual')).toHaveAccessibleDescription('Senha atual incorreta.')
    await expect.element(field('Senha atual')).toHaveFocus()
    api.on('PUT /auth/senha', () => ({ status: 204 }))
    await change.click()
    await expect.element(aviso('Senha alterada. Os outros aparelhos saíram do painel.')).toBeVisible()
    await expect.element(field('Senha atual')).toHaveValue('')
  })

  it('lists devices, notices and availability', async () => {
    open()
    await expect.element(page.getByRole('list', { name: 'Sessões' }).getByText('Safari no iPhone')).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Com o painel fechado' })).toBeVisible()
    await expect.element(page.getByRole('link', { name: /Verificação em duas etapas/ })).toBeVisible()
  })

  it.each([
    [[], 'Você atende todas as linhas.'],
    [['l2'], 'Você atende a linha Entregas e encomendas de festa.'],
    [['l1', 'l3'], 'Você atende as linhas Loja centro e Site.'],
    [['00000000-0000-0000-0000-000000000000'], /^A linha que você atendia foi excluída/],
  ])('names the own lines %s of an operador', async (linhas, text) => {
    open({ usuario: makeOperadorUsuario({ linhas }), linhas: LINHAS })
    await expect.element(page.getByText(text)).toBeVisible()
  })

  it('offers to install the panel when the browser does', async () => {
    open()
    const install = page.getByRole('button', { name: 'Instalar o Balcão' })
    await expect.element(page.getByRole('heading', { name: 'Seus dados' })).toBeVisible()
    expect(install.query()).toBeNull()
    let asked = 0
    const prompt = async (): Promise<void> => void (asked += 1)
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
    await install.click()
    await expect.poll(() => install.query()).toBeNull()
    expect(asked).toBe(1)
  })

  it('shows the band of the test mode', async () => {
    const { server } = open()
    painel?.unmount()
    painel = openPanel('/conta', { ...server, bot: makeBotStatus({ modoTeste: true }) })
    await expect.element(page.getByText('Modo de teste: nenhum cliente real recebe mensagens')).toBeVisible()
  })
})

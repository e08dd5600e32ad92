import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import toast from 'react-hot-toast/headless'
import { expectAccessible } from '#test/axe.ts'
import { fakeApi, ok, refusal } from '#test/fake-api.ts'
import { openApp, storeSession, makeUsuario } from '#test/render.tsx'
import { type AdminTestApp, openAdmin, SELF, type AdminServer, SISTEMA, makeUsuarioAdmin, makeAct } from './server.ts'

const ANA = makeUsuarioAdmin('ana', 'Ana Ribeiro', { status: 'pendente', empresa: 'Padaria Aurora' })
const BIA = makeUsuarioAdmin('bia', 'Bia Alves', {
  botConectado: true,
  modoTeste: true,
  ...{ mensagensHoje: 950, percentualUso: 95, mensagemesTotalMes: 8000, conexao: 'padaria-da-bia' },
})
const CAIO = makeUsuarioAdmin('caio', 'Caio Lima', { status: 'inativo' })

let open: AdminTestApp | null = null
afterEach(() => {
  open?.close()
  toast.remove()
})

function abrir(address: string, inicial: Partial<AdminServer> = {}): AdminTestApp {
  open = openAdmin(address, { usuarios: [ANA, BIA, CAIO, SELF], ...inicial })
  return open
}

const line = (nome: RegExp) => page.getByRole('row', { name: nome })
const aviso = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const routes = ({ api }: AdminTestApp): string[] => api.calls.map(({ route }) => route)

describe('Access to /admin', () => {
  it('redirects users who are not administrators to their panel', async () => {
    const api = fakeApi({ 'GET /auth/eu': () => ok({ usuario: makeUsuario() }) })
    storeSession(makeUsuario())
    const fechar = openApp('/admin')
    await expect.element(page.getByRole('complementary', { name: 'Menu' })).toBeVisible()
    expect(location.pathname).toBe('/dashboard')
    fechar()
    api.restore()
  })

  it('links to the panel, changes the theme and logs out', async () => {
    abrir('/admin')
    await expect.element(page.getByRole('link', { name: /Ir para o painel/ })).toHaveAttribute('href', '/dashboard')
    await page.getByRole('button', { name: 'Sair' }).click()
    await expect.poll(() => location.pathname).toBe('/login')
    expect(localStorage.getItem('token')).toBeNull()
  })
})

describe('Admin: Dashboard', () => {
  it('shows four measured numbers, and a trend only where one exists', async () => {
    abrir('/admin')
    const numeros = page.getByRole('region', { name: 'Números' })
    await expect.element(numeros.getByText('4.321')).toBeVisible()
    await expect.element(numeros.getByText('+9,1%')).toBeVisible()
    await expect.element(numeros.getByText('-25%')).toBeVisible()
    await expect.poll(() => numeros.getByText(/desde ontem$/).elements()).toHaveLength(3)
    await expect.element(numeros.getByText('+20%')).toBeVisible()
    await expect.element(numeros.getByText(/na semana .20.150.$/)).toBeVisible()
    await expect.poll(() => numeros.getByText(/em uma semana$/).elements()).toHaveLength(2)
    await expect.poll(() => numeros.getByText('Ainda sem comparação').query()).toBeNull()
    await expect.poll(() => document.title).toBe('Dashboard · Administração · Balcão')
  })

  it('shows a text where there is nothing to compare with', async () => {
    const none = { totalUsuarios: null, usuariosAtivos: null, botsAtivos: null, mensagensHoje: null }
    const screen = abrir('/admin')
    screen.server.stats = {
      ...screen.server.stats,
      tendencias: none,
      tendenciasSemana: { totalUsuarios: null, usuariosAtivos: null, mensagens: null },
    }
    await expect.poll(() => page.getByText('Ainda sem comparação').elements()).toHaveLength(4)
  })

  it('lists waiting usuarios on top and activates one with a click, with undo', async () => {
    const screen = abrir('/admin')
    await expect.element(page.getByRole('heading', { name: 'Aguardando aprovação (1)' })).toBeVisible()
    await page.getByRole('button', { name: 'Ativar Ana Ribeiro' }).click()
    await expect.poll(() => page.getByRole('heading', { name: /Aguardando aprovação/ }).query()).toBeNull()
    expect(screen.api.calls.find(({ route }) => route === 'PUT /admin/usuarios/ana/status')?.body).toEqual({
      ativo: true,
    })
    await userEvent.keyboard('{Control>}z{/Control}')
    await expect.poll(() => screen.server.usuarios.find(({ id }) => id === 'ana')?.status).toBe('inativo')
    await expect.element(aviso('Usuário desativado com sucesso!')).toBeVisible()
  })

  it('approves a usuario together with the plan asked for', async () => {
    const screen = abrir('/admin', { usuarios: [SELF, { ...ANA, planoDesejado: 'doacao' }] })
    await expect.element(page.getByText('Pediu: Doação')).toBeVisible()
    await page.getByRole('button', { name: 'Aprovar e aplicar o plano de Ana Ribeiro' }).click()
    await expect.element(aviso('Usuário ativado com sucesso!')).toBeVisible()
    expect(routes(screen).filter((route) => route.startsWith('PUT'))).toEqual([
      'PUT /admin/usuarios/ana/plano',
      'PUT /admin/usuarios/ana/status',
    ])
    expect(screen.server.usuarios.find(({ id }) => id === 'ana')).toMatchObject({ plano: 'doacao', status: 'ativo' })
  })

  it('shows the latest activities with their usuario and links to the rest', async () => {
    const usuario = { id: 'bia', nome: 'Bia Alves', email: 'bia@loja.com.br' }
    abrir('/admin', {
      activities: [
        { usuario, acao: 'limiteAlterado', proprio: false, em: '2026-03-10T15:00:00.000Z' },
        {
          usuario: { ...usuario, id: 'x', nome: 'Caio Lima' },
          acao: 'entrar',
          proprio: true,
          em: '2026-03-10T14:00:00.000Z',
        },
      ],
    })
    const recent = page.getByRole('region', { name: 'Atividade recente' })
    await expect.element(recent.getByText('Limite alterado por um administrador')).toBeVisible()
    await expect.element(recent.getByText('Entrada no painel', { exact: true })).toBeVisible()
    await recent.getByRole('link', { name: 'Bia Alves' }).click()
    await expect.element(page.getByRole('heading', { name: 'Auditoria' })).toBeVisible()
    await expect.element(page.getByRole('searchbox')).toHaveValue('bia@loja.com.br')
  })

  it('reports that the numbers failed to load and retries', async () => {
    const screen = abrir('/admin')
    screen.api.on('GET /admin/stats', () => refusal(403, 'semPermissao', 'Você não tem permissão.'))
    await expect.element(page.getByText('Você não tem permissão.')).toBeVisible()
    screen.api.on('GET /admin/stats', () => ok(screen.server.stats))
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(page.getByText('4.321')).toBeVisible()
  })
})

describe('Admin: Usuários', () => {
  it('shows plan, contact, status, use and sign-up of each usuario', async () => {
    abrir('/admin?aba=usuarios')
    await expect.element(line(/Ana Ribeiro/).getByText('Gratuito · Padaria Aurora')).toBeVisible()
    await expect.element(line(/Ana Ribeiro/).getByText('ana@loja.com.br')).toBeVisible()
    await expect.element(line(/Ana Ribeiro/).getByText('(11) 98765-4321')).toBeVisible()
    await expect.element(line(/Ana Ribeiro/).getByText('Pendente')).toBeVisible()
    await expect.element(line(/Ana Ribeiro/).getByText('Bot desconectado')).toBeVisible()
    await expect.element(line(/Bia Alves/).getByText('Bot em teste')).toBeVisible()
    await expect.element(line(/Ana Ribeiro/).getByText('01/11/2025')).toBeVisible()
    await expect.element(line(/Bia Alves/).getByText('950 / 1.000')).toBeVisible()
    const bar = line(/Bia Alves/).getByRole('meter')
    await expect.element(bar).toHaveAttribute('aria-valuenow', '95')
    expect(bar.element().firstElementChild?.className).toContain('bg-danger')
  })

  it('activates in place and reverts when the server refuses', async () => {
    const screen = abrir('/admin?aba=usuarios')
    await line(/Ana Ribeiro/)
      .getByRole('button', { name: /Ativar/ })
      .click()
    await expect.element(line(/Ana Ribeiro/).getByText('Ativo', { exact: true })).toBeVisible()
    screen.api.on('PUT /admin/usuarios/bia/status', () => refusal(409, 'ultimoAdmin', 'O último administrador fica.'))
    await line(/Bia Alves/)
      .getByRole('button', { name: 'Desativar Bia Alves' })
      .click()
    await expect
      .element(page.getByText('Erro ao alterar status do usuário: O último administrador fica.').first())
      .toBeVisible()
    await expect.element(line(/Bia Alves/).getByText('Ativo', { exact: true })).toBeVisible()
  })

  it('prevents administrators from blocking themselves', async () => {
    abrir('/admin?aba=usuarios')
    await expect.element(line(/Administrador/).getByText('Você')).toBeVisible()
    expect(
      line(/Administrador/)
        .getByRole('button', { name: /Desativar/ })
        .query(),
    ).toBeNull()
    expect(
      line(/Administrador/)
        .getByRole('button', { name: /Excluir/ })
        .query(),
    ).toBeNull()
  })

  it('searches and filters, and keeps both in the URL', async () => {
    abrir('/admin?aba=usuarios')
    await page.getByRole('searchbox').fill('bia')
    await expect.poll(() => line(/Ana Ribeiro/).query()).toBeNull()
    await expect.element(line(/Bia Alves/)).toBeVisible()
    expect(location.search).toBe('?aba=usuarios&busca=bia')
    await page.getByRole('button', { name: 'Inativos' }).click()
    await expect.element(page.getByText('Nada com este filtro')).toBeVisible()
    await page.getByRole('button', { name: 'Limpar' }).click()
    await expect.element(line(/Caio Lima/)).toBeVisible()
    await expect.element(page.getByRole('searchbox')).toHaveValue('')
    expect(location.search).toBe('?aba=usuarios')
  })

  it('applies the search of the URL, even one that looks like a number', async () => {
    const screen = abrir('/admin?aba=usuarios&busca=119&status=pendente')
    await expect.element(page.getByRole('searchbox')).toHaveValue('119')
    await expect.element(page.getByRole('button', { name: 'Pendentes' })).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => routes(screen)).toContain('GET /admin/usuarios')
  })

  it('keeps sorting and page in the URL and starts a new filter on page one', async () => {
    const screen = abrir('/admin?aba=usuarios')
    const requests: string[] = []
    screen.api.on('GET /admin/usuarios', ({ url }) => {
      const { pagina, ordem, direcao, status } = Object.fromEntries(url.searchParams)
      requests.push(`${ordem} ${direcao} ${pagina} ${status ?? 'todos'}`)
      return ok({ usuarios: pagina === '1' ? [ANA] : [BIA], total: 45 })
    })
    await page.getByRole('button', { name: 'Usuário', exact: true }).click()
    await expect.element(page.getByRole('columnheader', { name: 'Usuário' })).toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('button', { name: 'Usuário', exact: true }).click()
    await expect.element(page.getByRole('columnheader', { name: 'Usuário' })).toHaveAttribute('aria-sort', 'descending')
    await expect.element(page.getByText('1–20 de 45')).toBeVisible()
    await page.getByRole('button', { name: 'Próxima' }).click()
    await expect.element(page.getByText('21–40 de 45')).toBeVisible()
    await expect.element(line(/Bia Alves/)).toBeVisible()
    expect(location.search).toBe('?aba=usuarios&ordem=-nome&pagina=2')
    expect(requests.at(-1)).toBe('nome desc 2 todos')
    await page.getByRole('button', { name: 'Ativos', exact: true }).click()
    await expect.element(page.getByText('1–20 de 45')).toBeVisible()
    expect(location.search).toBe('?aba=usuarios&status=ativo&ordem=-nome')
    expect(requests.at(-1)).toBe('nome desc 1 ativo')
  })

  it('offers the previous page when the page does not exist', async () => {
    const screen = abrir('/admin?aba=usuarios&pagina=9')
    screen.api.on('GET /admin/usuarios', ({ url }) =>
      ok({ usuarios: url.searchParams.get('pagina') === '2' ? [BIA] : [], total: 21 }),
    )
    await expect.element(page.getByText('Esta página não existe mais')).toBeVisible()
    await page.getByRole('button', { name: 'Anterior' }).click()
    await expect.element(page.getByText('21–21 de 21')).toBeVisible()
  })

  it('lists deleted usuarios with their deadline and restores them', async () => {
    const dora = makeUsuarioAdmin('dora', 'Dora Prado', {
      excluidoEm: '2026-03-10T15:00:00.000Z',
      apagaEm: '2026-04-09T15:00:00.000Z',
    })
    const screen = abrir('/admin?aba=usuarios', { deleted: [dora] })
    await page.getByRole('button', { name: 'Excluídos' }).click()
    await expect.element(page.getByText(/Será apagado de vez em 09\/04\/2026/)).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'Restaurar Dora Prado' }).click()
    await expect.element(page.getByText('Nenhuma conta excluída')).toBeVisible()
    expect(screen.server.usuarios.map(({ id }) => id)).toContain('dora')
    await page.getByRole('button', { name: 'Todos' }).click()
    await expect.element(line(/Dora Prado/)).toBeVisible()
  })

  it('shows the loading, empty and failed states in words', async () => {
    const screen = abrir('/admin?aba=usuarios')
    screen.api.on('GET /admin/usuarios', () => new Promise(() => undefined))
    await expect.element(page.getByRole('status', { name: 'Carregando usuários' })).toBeVisible()
    screen.close()
    const empty = abrir('/admin?aba=usuarios', { usuarios: [] })
    await expect.element(page.getByText('Ninguém se cadastrou ainda')).toBeVisible()
    empty.close()
    const failure = abrir('/admin?aba=usuarios')
    failure.api.on('GET /admin/usuarios', () => ({ status: 403, body: 'x' }))
    await expect.element(page.getByText('Erro ao carregar dados')).toBeVisible()
  })

  it('shows an account read-only and links to its configuration', async () => {
    abrir('/admin?aba=usuarios')
    await line(/Bia Alves/)
      .getByRole('button', { name: 'Ver Bia Alves' })
      .click()
    const janela = page.getByRole('dialog', { name: 'Bia Alves' })
    await expect.element(janela.getByText('8.000')).toBeVisible()
    await expect.element(janela.getByText('Loja WhatsApp')).toBeVisible()
    await expect.element(janela.getByText('padaria-da-bia')).toBeVisible()
    await janela.getByRole('button', { name: 'Configurar' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Configurar Bia Alves' })).toBeVisible()
  })

  it('removes an account only after its e-mail is typed', async () => {
    const screen = abrir('/admin?aba=usuarios')
    await line(/Caio Lima/)
      .getByRole('button', { name: 'Excluir Caio Lima' })
      .click()
    const janela = page.getByRole('dialog', { name: 'Excluir Caio Lima?' })
    await expect.element(janela.getByText(/Por 30 dias ela pode voltar como era/)).toBeVisible()
    const confirm = janela.getByRole('button', { name: 'Excluir usuário' })
    await expect.element(confirm).toBeDisabled()
    await janela.getByRole('textbox').fill('outro@loja.com.br')
    await userEvent.keyboard('{Enter}')
    expect(routes(screen)).not.toContain('DELETE /admin/usuarios/caio')
    await janela.getByRole('textbox').fill('CAIO@loja.com.br ')
    await confirm.click()
    await expect.element(aviso('Usuário excluído com sucesso!')).toBeVisible()
    await expect.poll(() => line(/Caio Lima/).query()).toBeNull()
    await page.getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(line(/Caio Lima/)).toBeVisible()
  })

  it('keeps the dialog open with the reason when a removal fails', async () => {
    const screen = abrir('/admin?aba=usuarios')
    screen.api.on('DELETE /admin/usuarios/caio', () => ({ status: 500, body: '' }))
    await line(/Caio Lima/)
      .getByRole('button', { name: 'Excluir Caio Lima' })
      .click()
    const janela = page.getByRole('dialog', { name: 'Excluir Caio Lima?' })
    await janela.getByRole('textbox').fill('caio@loja.com.br')
    await janela.getByRole('button', { name: 'Excluir usuário' }).click()
    await expect
      .element(page.getByRole('alert').getByText('Erro ao excluir usuário', { exact: true }))
      .toBeInTheDocument()
    await expect.element(janela).toBeVisible()
  })
})

describe('Admin: configure a usuario', () => {
  const janela = page.getByRole('dialog', { name: 'Configurar Bia Alves' })
  const abrirJanela = async (): Promise<AdminTestApp> => {
    const screen = abrir('/admin?aba=usuarios')
    await line(/Bia Alves/)
      .getByRole('button', { name: 'Configurar Bia Alves' })
      .click()
    await expect.element(janela.getByText('8.000')).toBeVisible()
    return screen
  }

  it('saves the limit and the permissions, each only if changed', async () => {
    const screen = await abrirJanela()
    await janela.getByLabelText('Limite diário de mensagens').fill('2500')
    await janela.getByRole('switch', { name: 'IA Chatbot' }).click()
    await janela.getByRole('button', { name: 'Salvar alterações' }).click()
    await expect.element(aviso('Configurações do usuário atualizadas com sucesso!')).toBeVisible()
    const bia = screen.server.usuarios.find(({ id }) => id === 'bia')
    expect(bia?.limiteMensagensDia).toBe(2500)
    expect(bia?.componentesPermitidos).toEqual({ ...SELF.componentesPermitidos, iaChatbot: false })
    await expect.element(line(/Bia Alves/).getByText('950 / 2.500')).toBeVisible()
    await expect.poll(() => page.getByRole('dialog').query()).toBeNull()
  })

  it('sends only changed switches, so that two administrators do not undo each other', async () => {
    const screen = await abrirJanela()
    await janela.getByRole('switch', { name: 'IA Chatbot' }).click()
    await janela.getByRole('button', { name: 'Salvar alterações' }).click()
    await expect.element(aviso('Configurações do usuário atualizadas com sucesso!')).toBeVisible()
    const sent = screen.api.calls.find(({ route }) => route === 'POST /admin/usuarios/bia/permissoes')?.body
    expect(sent).toEqual({ componentesPermitidos: { iaChatbot: false } })
  })

  it.each([
    ['', 1000],
    ['1', 1],
  ])('reads a limit of "%s" as %d', async (written, limite) => {
    const screen = await abrirJanela()
    screen.server.usuarios = screen.server.usuarios.map((usuario) => ({ ...usuario, limiteMensagensDia: 30 }))
    await janela.getByLabelText('Limite diário de mensagens').fill('77')
    await janela.getByLabelText('Limite diário de mensagens').fill(written)
    await userEvent.tab()
    await expect.element(janela.getByLabelText('Limite diário de mensagens')).toHaveValue(limite)
  })

  it('saves the limit of lines and shows it in the table and the details', async () => {
    const screen = await abrirJanela()
    const field = janela.getByLabelText('Limite de linhas')
    await field.fill('21')
    await expect.element(janela.getByText('Informe um número inteiro, de 1 a 20')).toBeVisible()
    await expect.element(janela.getByRole('button', { name: 'Salvar alterações' })).toBeDisabled()
    await field.fill('8')
    await janela.getByRole('button', { name: 'Salvar alterações' }).click()
    await expect.element(aviso('Configurações do usuário atualizadas com sucesso!')).toBeVisible()
    expect(routes(screen)).toContain('POST /admin/usuarios/bia/limite-linhas')
    expect(routes(screen)).not.toContain('POST /admin/usuarios/bia/limite-mensagens')
    await expect.element(line(/Bia Alves/).getByText('até 8 linhas')).toBeVisible()
    await page.getByRole('button', { name: 'Ver Bia Alves' }).click()
    await expect.element(page.getByRole('definition').filter({ hasText: /^8$/ })).toBeVisible()
  })

  it('refuses a limit below 1', async () => {
    const screen = await abrirJanela()
    await janela.getByLabelText('Limite diário de mensagens').fill('0')
    await expect.element(janela.getByText('Informe um número inteiro, a partir de 1')).toBeVisible()
    await expect.element(janela.getByRole('button', { name: 'Salvar alterações' })).toBeDisabled()
    expect(routes(screen)).not.toContain('POST /admin/usuarios/bia/limite-mensagens')
  })

  it('applies a plan with one click and explains that limits apply only then', async () => {
    await abrirJanela()
    await expect.element(janela.getByText(/^Os limites de um plano valem depois de aplicados/)).toBeVisible()
    await expect
      .element(janela.getByText(/1\.000 mensagens\/dia · IA incluída · menu sem limite · até 3 linhas\.$/))
      .toBeVisible()
    await expect.element(janela.getByText('Escolhido, falta aplicar')).toBeVisible()
    await janela.getByRole('button', { name: 'Aplicar plano Gratuito' }).click()
    await expect.element(aviso('Plano Gratuito aplicado com sucesso!')).toBeVisible()
    await expect.element(janela.getByLabelText('Limite diário de mensagens')).toHaveValue(500)
    await expect.element(janela.getByText(/500 mensagens\/dia · sem IA · até 5 opções · 1 linha\.$/)).toBeVisible()
    await expect.poll(() => janela.getByText('Escolhido, falta aplicar').query()).toBeNull()
  })

  it('resets the counter after a confirmation and keeps the monthly count', async () => {
    const screen = await abrirJanela()
    await janela.getByRole('button', { name: 'Resetar contador' }).click()
    const pergunta = page.getByRole('alertdialog', { name: 'Resetar o contador de Bia Alves?' })
    await expect.element(pergunta.getByRole('button', { name: 'Voltar' })).toHaveFocus()
    expect(routes(screen)).not.toContain('POST /admin/usuarios/bia/reset-contador')
    await pergunta.getByRole('button', { name: 'Resetar contador' }).click()
    await expect.element(aviso('Contador de mensagens resetado com sucesso!')).toBeInTheDocument()
    await expect.element(janela.getByText('0%')).toBeVisible()
    await expect.element(janela.getByText('8.000')).toBeVisible()
    await expect.element(janela).toBeVisible()
  })

  it('keeps the typed values when saving fails', async () => {
    const screen = await abrirJanela()
    screen.api.on('POST /admin/usuarios/bia/limite-mensagens', () => refusal(404, 'naoEncontrado', 'Não encontrado'))
    await janela.getByLabelText('Limite diário de mensagens').fill('5')
    await janela.getByRole('button', { name: 'Salvar alterações' }).click()
    await expect
      .element(page.getByRole('alert').getByText('Erro ao salvar alterações: Não encontrado'))
      .toBeInTheDocument()
    await expect.element(janela.getByLabelText('Limite diário de mensagens')).toHaveValue(5)
  })
})

describe('Admin: Configurações', () => {
  it('saves the settings on the server', async () => {
    const screen = abrir('/admin?aba=configuracoes')
    screen.api.on('PUT /admin/configuracoes', ({ body }) => {
      screen.server.settings = { ...screen.server.settings, ...Object(body) }
      return ok(screen.server.settings)
    })
    const cap = page.getByLabelText('Limite de usuários por plano')
    await expect
      .element(cap)
      .toHaveAccessibleDescription(
        'Com este número de contas no plano Gratuito, novos cadastros pela página são recusados. Você ainda pode criar contas.',
      )
    await cap.fill('50')
    screen.server.settings = { ...screen.server.settings, notificacoesEmail: false }
    await page.getByLabelText('Mensagens por dia').fill('')
    await page.getByRole('switch', { name: /Permitir auto-registro/ }).click()
    const support = page.getByLabelText('Suporte pelo WhatsApp')
    await expect.element(support).toHaveAccessibleDescription(/quem paga o plano Doação não consegue falar com ninguém/)
    await support.fill('119')
    await expect.element(support).toHaveAccessibleDescription(/Informe de 10 a 13 dígitos/)
    await expect.element(page.getByRole('button', { name: 'Salvar' })).toBeDisabled()
    await support.fill('+55 (11) 98765-4321')
    await expect.element(support).toHaveAccessibleDescription('Contas no plano Doação falam com este número.')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(aviso('Configurações salvas com sucesso!')).toBeVisible()
    expect(screen.server.settings).toEqual({
      ...{ exigirSegundoFatorAdmin: false, politicaSenha: 'padrao', recusarComuns: false },
      limiteUsuariosPorPlano: 50,
      mensagensPorDia: 1000,
      permitirAutoRegistro: false,
      notificacoesEmail: false,
      suporteWhatsapp: '5511987654321',
    })
    await expect.element(page.getByLabelText('Mensagens por dia')).toHaveValue(1000)
    await expect.element(page.getByRole('switch', { name: /Notificações por e-mail/ })).not.toBeChecked()
  })

  it('asks before leaving with unsaved edits and reports a failed save', async () => {
    const screen = abrir('/admin?aba=configuracoes')
    await page.getByLabelText('Mensagens por dia').fill('7')
    screen.api.on('PUT /admin/configuracoes', () => ({ status: 500, body: '' }))
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(page.getByText('Erro ao salvar alterações').first()).toBeVisible()
    await expect.element(page.getByLabelText('Mensagens por dia')).toHaveValue(7)
    await page.getByRole('link', { name: 'Usuários' }).click()
    const pergunta = page.getByRole('alertdialog', { name: 'Sair sem salvar?' })
    await pergunta.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(page.getByLabelText('Mensagens por dia')).toHaveValue(7)
    await page.getByRole('link', { name: 'Usuários' }).click()
    await pergunta.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect.element(line(/Ana Ribeiro/)).toBeVisible()
  })

  it('lists the e-mails with their result and shows their text on request', async () => {
    const base = { para: 'ana@loja.com.br', criadoEm: '2025-11-01T12:00:00.000Z' }
    abrir('/admin?aba=configuracoes', {
      emails: [
        { ...base, id: '1', assunto: 'Sua conta está ativa', texto: 'Boas notícias', enviadoEm: base.criadoEm },
        { ...base, id: '2', assunto: 'Redefinir senha', texto: 'Abra o link', erro: 'Caixa cheia' },
        { ...base, id: '3', assunto: 'Limite em 80%', texto: 'Você usou 800' },
      ],
    })
    await expect.element(page.getByText('Enviado', { exact: true })).toBeVisible()
    await expect.element(page.getByText('Falhou', { exact: true })).toBeVisible()
    await expect.element(page.getByText('Pendente', { exact: true })).toBeVisible()
    await expect.element(page.getByText('Abra o link')).not.toBeVisible()
    await page.getByText('Redefinir senha').click()
    await expect.element(page.getByText('Abra o link')).toBeVisible()
    await expect.element(page.getByText('Caixa cheia')).toBeVisible()
  })
})

describe('Admin: accessibility', () => {
  it.each(['/admin', '/admin?aba=usuarios', '/admin?aba=auditoria', '/admin?aba=sistema', '/admin?aba=configuracoes'])(
    'passes axe on %s, narrow and wide',
    async (address) => {
      const long = makeUsuarioAdmin('longa', 'Construtora Horizonte Azul Participações', {
        email: 'financeiro.contas-a-pagar@construtora-horizonte-azul-participacoes.com.br',
        empresa: 'Construtora Horizonte Azul Participações e Empreendimentos Imobiliários',
        status: 'pendente',
      })
      abrir(address, {
        usuarios: [long, ANA, BIA, CAIO, SELF],
        activities: [{ usuario: long, acao: 'permissoesAlteradas', proprio: false, em: '2026-03-10T15:00:00.000Z' }],
        acts: [
          makeAct({ quem: { id: 'longa', nome: long.nome, email: long.email }, detalhe: `Ligou ${long.empresa}` }),
        ],
        sistema: { ...SISTEMA, nos: SISTEMA.nos.map((no) => ({ ...no, nome: long.email })) },
        emails: [{ id: '1', para: long.email, assunto: 'Oi', texto: 'Oi', criadoEm: '2025-11-01T12:00:00.000Z' }],
      })
      await expect
        .element(page.getByText(/Construtora Horizonte|construtora-horizonte|Limite de usuários por plano/).first())
        .toBeVisible()
      await expectAccessible()
    },
  )

  it('passes axe in every dialog', async () => {
    abrir('/admin?aba=usuarios')
    for (const nome of ['Ver Bia Alves', 'Configurar Bia Alves', 'Excluir Bia Alves', 'Novo usuário']) {
      await page.getByRole('button', { name: nome }).click()
      await expect.element(page.getByRole('dialog')).toBeVisible()
      await expectAccessible()
      await userEvent.keyboard('{Escape}')
      await expect.poll(() => page.getByRole('dialog').query()).toBeNull()
    }
  })

  it('activates, deletes and configures a usuario on a phone', async () => {
    await page.viewport(360, 740)
    const screen = abrir('/admin?aba=usuarios')
    await page.getByRole('button', { name: 'Ativar Ana Ribeiro' }).click()
    await expect.element(page.getByRole('button', { name: 'Desativar Ana Ribeiro' })).toBeVisible()
    expect(screen.server.usuarios.find(({ id }) => id === 'ana')?.ativo).toBe(true)
    await page.getByRole('button', { name: 'Mais ações para Caio Lima' }).click()
    await page.getByRole('menuitem', { name: 'Excluir' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Excluir Caio Lima?' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await page.getByRole('button', { name: 'Configurar Bia Alves' }).click()
    await expect.element(page.getByRole('dialog', { name: 'Configurar Bia Alves' })).toBeVisible()
    await page.viewport(1366, 800)
  })

  it('shows the current tab and the whole e-mail subject on a phone', async () => {
    await page.viewport(360, 740)
    const assunto = 'Novo cadastro aguardando aprovação: Beto Nascimento'
    const email = { id: '1', para: 'adm@loja.com.br', assunto, texto: 'Oi', criadoEm: '2025-11-01T12:00:00.000Z' }
    abrir('/admin?aba=configuracoes', { emails: [email] })
    const aqui = page.getByRole('link', { name: 'Configurações', exact: true })
    await expect.element(aqui).toHaveAttribute('aria-current', 'page')
    await expect.poll(() => aqui.element().getBoundingClientRect().right).toBeLessThanOrEqual(360)
    const titulo = page.getByText(assunto)
    await expect.element(titulo).toBeVisible()
    expect(titulo.element().scrollWidth).toBe(titulo.element().clientWidth)
    await page.viewport(1366, 800)
  })
})

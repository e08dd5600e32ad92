import '../dashboard/fake-socket.ts'
import type { Operador } from '@balcao/contract/entities/operador'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import type { PanelTestApp, PanelServer } from '#test/dashboard/panel.tsx'
import {
  openEquipePanel,
  aviso,
  button,
  EQUIPE,
  chooseMenuItem,
  makeOperador,
  requestBodies,
  emitPresence,
  heading,
} from './equipe-panel.ts'

let painel: PanelTestApp | null = null
function abrir(
  equipe: readonly Operador[] = EQUIPE,
  inicial: Partial<PanelServer> = {},
  nome = 'equipe',
): PanelTestApp {
  painel = openEquipePanel(nome, inicial)
  painel.api.on('GET /conta/operadores', () => ok({ operadores: equipe }))
  return painel
}

afterEach(async () => {
  painel?.unmount()
  await page.viewport(1366, 800)
})

const lista = page.getByRole('list', { name: 'Pessoas da equipe' })
const pessoa = (nome: string) => lista.getByRole('listitem').filter({ hasText: nome })
const dialogo = (nome: string) => page.getByRole('dialog', { name: nome })

const CONVIDADO = { convitePendente: true, conviteAte: '2099-11-17T12:00:00.000Z' }

const CONVITE = {
  link: 'https://painel.test/redefinir-senha?token=abc&convite=1',
  expiraEm: '2099-11-17T12:00:00.000Z',
  emailEnviado: true,
}

/** Index of the current history entry in the router: `history.length` stops at 50. */
function lugarNoHistorico(): unknown {
  const estado: unknown = history.state
  return typeof estado === 'object' && estado !== null && '__TSR_index' in estado ? estado.__TSR_index : 0
}

describe('Operadores', () => {
  it('opens from the menu of the tab and closes on Back', async () => {
    abrir(EQUIPE, {}, '')
    await chooseMenuItem('Equipe e resultados', 'Equipe')
    await expect.element(heading('Equipe')).toHaveFocus()
    expect(location.search).toBe('?aba=atendimento&painel=equipe')
    await expect.element(page.getByRole('searchbox')).not.toBeInTheDocument()
    history.back()
    await expect.element(page.getByRole('searchbox', { name: 'Buscar por nome, telefone ou @nome' })).toBeVisible()
    await expect.element(button('Equipe e resultados')).toHaveFocus()
  })

  it('closes by its back link and by Esc to the screen below', async () => {
    abrir(EQUIPE, {}, '')
    await expect.element(button('Equipe e resultados')).toBeVisible()
    const before = lugarNoHistorico()
    await chooseMenuItem('Equipe e resultados', 'Equipe')
    await button('Voltar para as conversas').click()
    await expect.element(button('Equipe e resultados')).toHaveFocus()
    expect(location.search).toBe('?aba=atendimento')
    await chooseMenuItem('Equipe e resultados', 'Equipe')
    await expect.element(heading('Equipe')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(heading('Equipe')).not.toBeInTheDocument()
    expect(lugarNoHistorico()).toBe(before)
  })

  it('shows setores, state and presence of each person', async () => {
    abrir()
    await expect.element(pessoa('Bruno').getByText('Vendas')).toBeVisible()
    await expect.element(pessoa('Carla').getByText('Todos os setores')).toBeVisible()
    await expect.element(pessoa('Davi').getByText('Convite pendente')).toBeVisible()
    await expect.element(pessoa('Davi').getByText('Financeiro')).toBeVisible()
    await expect.element(pessoa('Elis').getByText('Desativado')).toBeVisible()
    await expect.element(pessoa('Bruno').getByText('Fora do painel')).toBeVisible()
    emitPresence('o1', 'online')
    await expect.element(pessoa('Bruno').getByText('No painel agora')).toBeVisible()
    await expect.element(page.getByText('4 pessoas · 1 no painel agora')).toBeVisible()
    emitPresence('o1', 'offline')
    await expect.element(page.getByText('4 pessoas · ninguém no painel agora')).toBeVisible()
    await expectAccessible()
  })

  it('refetches when an invited person comes online', async () => {
    const { api } = abrir()
    await expect.element(pessoa('Davi').getByText('Convite pendente')).toBeVisible()
    api.on('GET /conta/operadores', () => ok({ operadores: [makeOperador({ ...EQUIPE[2], convitePendente: false })] }))
    await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
    emitPresence('o3', 'online')
    await expect.element(pessoa('Davi').getByText('No painel agora')).toBeVisible()
    expect(
      pessoa('Davi')
        .getByText(/O link do convite/)
        .query(),
    ).toBeNull()
  })

  it('shows people who came online before the page opened', async () => {
    abrir(EQUIPE, {}, '')
    await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
    emitPresence('o2', 'online')
    await chooseMenuItem('Equipe e resultados', 'Equipe')
    await expect.element(pessoa('Carla').getByText('No painel agora')).toBeVisible()
  })

  it('offers the invitation while there is no operador', async () => {
    abrir([])
    await expect.element(page.getByText('Só você atende')).toBeVisible()
    await button('Convidar pessoa').click()
    await expect.element(dialogo('Convidar pessoa')).toBeVisible()
    await expectAccessible()
  })

  it('shows a skeleton of the list, then the failure', async () => {
    const { api } = abrir()
    let release = (): void => undefined
    const demora = new Promise<void>((ready) => (release = ready))
    api.on('GET /conta/operadores', async () => {
      await demora
      return refusal(400, 'dadosInvalidos', 'Não deu para ler a equipe.')
    })
    await expect.element(page.getByRole('status', { name: 'Carregando a equipe' })).toBeVisible()
    release()
    await expect.element(page.getByText('Não deu para ler a equipe.')).toBeVisible()
    api.on('GET /conta/operadores', () => ok({ operadores: EQUIPE }))
    await button('Tentar de novo').click()
    await expect.element(pessoa('Bruno')).toBeVisible()
  })
})

describe('Invite an operador', () => {
  it('resends a lost invitation and shows its new expiry', async () => {
    const davi = makeOperador({ ...EQUIPE[2], conviteAte: null })
    const screen = abrir([makeOperador(), davi])
    await expect.element(pessoa('Davi').getByText('Convite vencido')).toBeVisible()
    await expect.element(pessoa('Bruno').getByRole('button', { name: /Reenviar/ })).not.toBeInTheDocument()
    await expectAccessible()
    screen.api.on('POST /conta/operadores/o3/convite', () =>
      refusal(429, 'muitasTentativas', 'Muitas tentativas. Aguarde um pouco.'),
    )
    await button('Reenviar convite para Davi Souza').click()
    await expect.element(aviso('Muitas tentativas. Aguarde um pouco.')).toBeVisible()
    let release = (): void => undefined
    const demora = new Promise<void>((ready) => (release = ready))
    screen.api.on('POST /conta/operadores/o3/convite', async () => {
      await demora
      return ok({ operador: EQUIPE[2], convite: CONVITE })
    })
    await button('Reenviar convite para Davi Souza').click()
    await expect.element(button('Reenviando…')).toBeDisabled()
    release()
    await dialogo('Convite de Davi Souza').getByRole('button', { name: 'Fechar' }).click()
    await expect.element(pessoa('Davi').getByText('Convite pendente')).toBeVisible()
    await expect.element(pessoa('Davi').getByText(/vale até 17\/11\/2099/)).toBeVisible()
  })

  it('sends the invitation and lists the person', async () => {
    const screen = abrir()
    const fresh = makeOperador({ id: 'o9', nome: 'Fábio Reis', email: 'fabio@aurora.com.br', ...CONVIDADO })
    screen.api.on('POST /conta/operadores', () => ok({ operador: fresh, convite: CONVITE }))
    await button('Convidar pessoa').click()
    await page.getByLabelText('Nome').fill('Fábio Reis')
    await page.getByLabelText('E-mail').fill('fabio@aurora.com.br')
    await page.getByRole('checkbox', { name: 'Vendas' }).click()
    await button('Enviar convite').click()
    await expect.element(aviso('Convite enviado para fabio@aurora.com.br')).toBeVisible()
    await expect.element(pessoa('Fábio').getByText('Convite pendente')).toBeVisible()
    const corpo = { nome: 'Fábio Reis', email: 'fabio@aurora.com.br', setores: ['vendas'] }
    expect(requestBodies(screen, 'POST /conta/operadores')).toEqual([corpo])
  })

  it('shows the link of the invitation to copy and to send by WhatsApp', async () => {
    const screen = abrir([], { email: false })
    const fresh = makeOperador({ id: 'o9', nome: 'Fábio Reis', email: 'fabio@aurora.com.br', ...CONVIDADO })
    const convite = { ...CONVITE, emailEnviado: false }
    screen.api.on('POST /conta/operadores', () => ok({ operador: fresh, convite }))
    await button('Convidar pessoa').click()
    const now = page.getByRole('checkbox', { name: 'Definir a senha agora, sem convite' })
    await expect.element(now).toBeChecked()
    await now.click()
    await page.getByLabelText('Nome').fill('Fábio Reis')
    await page.getByLabelText('E-mail').fill('fabio@aurora.com.br')
    await button('Criar convite').click()
    await expect.element(aviso('Convite de Fábio Reis criado. Mande o link.')).toBeVisible()
    const dialog = dialogo('Convite de Fábio Reis')
    await expect.element(dialog.getByLabelText('Link do convite')).toHaveValue(CONVITE.link)
    await expect.element(dialog.getByText('Este servidor não envia e-mails', { exact: false })).toBeVisible()
    const whatsapp = dialog.getByRole('link', { name: /Mandar pelo WhatsApp/ })
    await expect.element(whatsapp).toHaveAttribute('href', expect.stringContaining(encodeURIComponent(CONVITE.link)))
    await expectAccessible()
  })

  it('creates the access immediately with a password', async () => {
    const screen = abrir([])
    screen.api.on('POST /conta/operadores', () => ok({ operador: makeOperador() }))
    await button('Convidar pessoa').click()
    await page.getByLabelText('Nome').fill('Bruno Lima')
    await page.getByLabelText('E-mail').fill('bruno@aurora.com.br')
    await page.getByRole('checkbox', { name: /Definir a senha agora/ }).click()
    await page.getByLabelText('Senha', { exact: true }).fill('12345')
    await button('Criar acesso').click()
    const password = page.getByLabelText('Senha', { exact: true })
    await expect.element(password).toHaveAccessibleDescription(/Senha deve ter pelo menos 6 caracteres/)
    await expect.element(password).toHaveFocus()
    await password.fill('bolo-de-fuba')
    await button('Criar acesso').click()
    await expect.element(aviso('Bruno Lima já pode entrar e atender.')).toBeVisible()
    expect(requestBodies(screen, 'POST /conta/operadores')).toMatchObject([{ setores: [], senha: 'bolo-de-fuba' }])
  })

  it.each([
    [refusal(409, 'emailJaCadastrado', 'Este e-mail já está cadastrado'), 'E-mail', 'Este e-mail já está cadastrado'],
    [
      refusal(400, 'dadosInvalidos', 'Dados inválidos', {
        detalhes: [{ caminho: 'nome', mensagem: 'Nome deve ter no máximo 120 caracteres' }],
      }),
      'Nome',
      'Nome deve ter no máximo 120 caracteres',
    ],
  ])('shows the refusal beside its field, with the focus there', async (recusa, label, said) => {
    const { api } = abrir([])
    api.on('POST /conta/operadores', () => recusa)
    await button('Convidar pessoa').click()
    await button('Enviar convite').click()
    await expect.element(page.getByLabelText('Nome')).toHaveAccessibleDescription('Nome é obrigatório')
    await page.getByLabelText('Nome').fill('Bruno')
    await page.getByLabelText('E-mail').fill('bruno@aurora.com.br')
    await button('Enviar convite').click()
    await expect.element(page.getByLabelText(label)).toHaveAccessibleDescription(new RegExp(said))
    await expect.element(page.getByLabelText(label)).toHaveFocus()
  })

  it('shows a deleted setor beside the setores and a general fault on top', async () => {
    const { api } = abrir([])
    const detalhes = [{ caminho: 'setores.0', mensagem: 'Este setor não existe.' }]
    api.on('POST /conta/operadores', () => refusal(400, 'setorDesconhecido', 'Este setor não existe.', { detalhes }))
    await button('Convidar pessoa').click()
    await page.getByLabelText('Nome').fill('Bruno')
    await page.getByLabelText('E-mail').fill('bruno@aurora.com.br')
    await page.getByRole('checkbox', { name: 'Vendas' }).click()
    await button('Enviar convite').click()
    await expect
      .element(page.getByRole('group', { name: 'Setores que atende' }))
      .toHaveAccessibleDescription(/Este setor não existe\./)
    const full = 'Uma conta pode ter até 50 operadores.'
    api.on('POST /conta/operadores', () => refusal(403, 'limitePlano', full))
    await button('Enviar convite').click()
    await expect.element(dialogo('Convidar pessoa').getByRole('alert')).toMatchTextContent(full)
    await expectAccessible()
  })
})

describe('Change an operador', () => {
  it('edits a person', async () => {
    const screen = abrir()
    screen.api.on('PUT /conta/operadores/o3', () => ok({ operador: makeOperador({ ...EQUIPE[2], nome: 'Davi S.' }) }))
    await chooseMenuItem('Ações para Davi Souza', 'Editar')
    await expect.element(page.getByRole('checkbox', { name: 'Suporte' })).toBeChecked()
    await page.getByLabelText('E-mail').fill('davi.souza@aurora.com.br')
    await expect.element(page.getByText('O convite vai de novo, para o novo endereço.')).toBeVisible()
    await button('Salvar').click()
    await expect.element(pessoa('Davi S.')).toBeVisible()
    expect(requestBodies(screen, 'PUT /conta/operadores/o3')).toEqual([
      { nome: 'Davi Souza', email: 'davi.souza@aurora.com.br', setores: ['suporte', 'financeiro'] },
    ])
  })

  it('asks before deactivating a person and reactivates without asking', async () => {
    const screen = abrir()
    screen.api.on('PUT /conta/operadores/o1', ({ body }) => {
      const active = typeof body === 'object' && body !== null && 'ativo' in body && body.ativo === true
      return ok({ operador: makeOperador({ status: active ? 'ativo' : 'inativo' }) })
    })
    await chooseMenuItem('Ações para Bruno Lima', 'Desativar')
    const pergunta = page.getByRole('alertdialog', { name: 'Desativar Bruno Lima?' })
    await expect.element(pergunta.getByText(/voltam para a fila do mesmo setor/)).toBeVisible()
    await pergunta.getByRole('button', { name: 'Desativar' }).click()
    await expect.element(pessoa('Bruno').getByText('Desativado')).toBeVisible()
    await chooseMenuItem('Ações para Bruno Lima', 'Ativar')
    await expect.element(aviso('Bruno Lima pode atender de novo.')).toBeVisible()
    expect(requestBodies(screen, 'PUT /conta/operadores/o1')).toEqual([{ ativo: false }, { ativo: true }])
  })

  it('explains the effect on conversas before removing', async () => {
    const { api } = abrir()
    api.on('DELETE /conta/operadores/o2', () => ok({ sucesso: true }))
    await chooseMenuItem('Ações para Carla Menezes', 'Remover da equipe')
    const pergunta = page.getByRole('alertdialog', { name: 'Remover Carla Menezes da equipe?' })
    await expect.element(pergunta.getByText(/voltam para a fila do mesmo setor/)).toBeVisible()
    await expect.element(pergunta.getByRole('button', { name: 'Voltar' })).toHaveFocus()
    await expectAccessible()
    await pergunta.getByRole('button', { name: 'Remover' }).click()
    await expect.element(aviso('Carla Menezes saiu da equipe.')).toBeVisible()
    await expect.poll(() => pessoa('Carla').query()).toBeNull()
  })

  it('removes the second factor of a lost phone and ends sessions', async () => {
    const { api } = abrir([makeOperador({ segundoFator: true })])
    api.on('DELETE /conta/operadores/o1/segundo-fator', () => ({ status: 204 }))
    api.on('DELETE /conta/operadores/o1/sessoes', () => ({ status: 204 }))
    await chooseMenuItem('Ações para Bruno Lima', 'Encerrar sessões')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Encerrar' }).click()
    await expect.element(aviso('Bruno Lima saiu do painel em todos os aparelhos.')).toBeVisible()
    await chooseMenuItem('Ações para Bruno Lima', 'Remover segundo fator')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click()
    await expect.element(aviso('Bruno Lima entra só com a senha.')).toBeVisible()
  })

  it('keeps a person whose removal failed', async () => {
    const { api } = abrir()
    api.on('DELETE /conta/operadores/o2', () => refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await chooseMenuItem('Ações para Carla Menezes', 'Remover da equipe')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remover' }).click()
    await expect.element(aviso('O servidor está ocupado.')).toBeVisible()
    await expect.element(pessoa('Carla')).toBeVisible()
  })
})

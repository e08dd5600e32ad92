import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import toast from 'react-hot-toast/headless'
import type { NodeStatus, SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { type AdminTestApp, openAdmin, SISTEMA } from './server.ts'

let open: AdminTestApp | null = null
afterEach(() => {
  open?.close()
  toast.remove()
})

function openSistema(fields: Partial<SistemaAdmin>): AdminTestApp {
  open = openAdmin('/admin?aba=sistema', { sistema: { ...SISTEMA, ...fields } })
  return open
}

const aviso = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

describe('Backups', () => {
  const COPIAS = {
    ...{ horas: 24, manter: 7, cifrada: true, emAndamento: false, falhouEm: null },
    proxima: '2026-03-11T03:00:00.000Z',
  }
  const ULTIMA = { em: '2026-03-10T03:00:00.000Z', linhas: 5_000, tabelas: 34, bytes: 2_097_152, cifrada: true }
  const agora = page.getByRole('button', { name: 'Fazer cópia agora' })

  it('shows the last copy and starts another', async () => {
    const screen = openSistema({ ultimaCopia: ULTIMA, copias: COPIAS })
    screen.api.on('POST /admin/copias', () => {
      screen.server.sistema = { ...screen.server.sistema, copias: { ...COPIAS, emAndamento: true } }
      return { status: 202, body: { sucesso: true } }
    })
    await expect.element(page.getByText('Em dia')).toBeVisible()
    await expect.element(page.getByText('Uma por dia; ficam 7, por até 30 dias')).toBeVisible()
    await expectAccessible()
    await agora.click()
    await expect.element(aviso('A cópia começou.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Fazendo a cópia…' })).toBeDisabled()
    screen.server.sistema = { ...SISTEMA, ultimaCopia: { ...ULTIMA, bytes: 5_242_880 }, copias: COPIAS }
    await expect.element(agora).toBeEnabled()
    await expect.element(page.getByText('5 MB')).toBeVisible()
  })

  it('warns of a late, failed or plain copy and reports a refusal', async () => {
    const late = { ...ULTIMA, em: '2026-03-09T12:00:00.000Z' }
    const failed = { ...COPIAS, cifrada: false, falhouEm: '2026-03-10T14:00:00.000Z' }
    const screen = openSistema({ ultimaCopia: late, copias: failed })
    screen.api.on('POST /admin/copias', () =>
      refusal(409, 'copiaEmAndamento', 'Uma cópia já está sendo feita. Espere ela terminar.'),
    )
    await expect.element(page.getByText('Antiga')).toBeVisible()
    await expect.element(page.getByText(/^Falhou em/)).toBeVisible()
    await expect.element(page.getByText(/As cópias ficam sem cifra/)).toBeVisible()
    await agora.click()
    await expect.element(page.getByText(/Uma cópia já está sendo feita/).first()).toBeVisible()
  })
})

describe('Processes', () => {
  const [SELF_NODE] = SISTEMA.nos

  function makeNode(nome: string, fields: Partial<NodeStatus> = {}): NodeStatus {
    if (SELF_NODE === undefined) throw new Error('no node')
    return {
      ...{ ...SELF_NODE, id: nome, nome, este: false, bots: 150, ultimoRecadoS: 3, arquivosCompartilhados: true },
      ...{ vistoEm: '2026-03-10T14:59:59.000Z', ...fields },
    }
  }

  it('shows a single process without the rules of several', async () => {
    openSistema({})
    await expect.element(page.getByRole('heading', { name: 'Processos no ar (1)' })).toBeVisible()
    await expect.element(page.getByText('Respondeu agora')).toBeVisible()
    expect(page.getByText('Máximo de bots por processo').query()).toBeNull()
    expect(page.getByText('Sem sinal').query()).toBeNull()
    await expectAccessible()
  })

  it('shows how several processes share bots, recados and files', async () => {
    const nos = [makeNode('loja-1:3000', { este: true, ultimoRecadoS: null }), makeNode('loja-2:3000')]
    openSistema({ nos, botsPorNoMaximo: 190, recados: { recebidos: 12_345, lacunas: 2 } })
    await expect.element(page.getByRole('heading', { name: 'Processos no ar (2)' })).toBeVisible()
    await expect.element(page.getByText('12.345')).toBeVisible()
    await expect.element(page.getByText('há 3 s')).toBeVisible()
    await expect.element(page.getByText('Arquivos compartilhados')).toBeVisible()
    expect(page.getByText(/não abrem em outro/).query()).toBeNull()
    await expectAccessible()
  })

  it('warns of a silent, a leaving and a full process, of waiting bots and of separate files', async () => {
    const nos = [
      makeNode('loja-1:3000', { este: true, ultimoRecadoS: null, bots: 200 }),
      makeNode('loja-2:3000', { vistoEm: '2026-03-10T14:59:51.000Z', ultimoRecadoS: null, bots: 170 }),
      makeNode('loja-3:3000', { saindo: true, arquivosCompartilhados: false }),
    ]
    openSistema({ nos, botsPorNoMaximo: 190, bots: { ...SISTEMA.bots, semDono: 7 } })
    await expect.element(page.getByText('Sem sinal')).toBeVisible()
    await expect.element(page.getByText('Desligando')).toBeVisible()
    await expect.element(page.getByText(/^Há bots demais aqui/)).toBeVisible()
    await expect.element(page.getByText(/^Quase no máximo/)).toBeVisible()
    await expect.element(page.getByText('Nenhum ainda')).toBeVisible()
    await expect.element(page.getByText('Bots à espera de um processo')).toBeVisible()
    await expect.element(page.getByText(/não abrem em outro/)).toBeVisible()
    await expectAccessible()
  })

  it('says when no process gave a sign', async () => {
    openSistema({ nos: [] })
    await expect.element(page.getByText('Nenhum processo deu sinal nos últimos segundos.')).toBeVisible()
  })
})

describe('Restored backup', () => {
  const RESTAURACAO = {
    copiaDe: '2026-03-09T15:00:00.000Z',
    importadaEm: '2026-03-10T14:00:00.000Z',
    mensagens: 12,
    emails: 2,
    bots: 31,
    agendadas: 4,
  }
  const pergunta = page.getByRole('alertdialog')

  it.each([
    ['Descartar o que esperava e ligar', 'Descartar e ligar', 'descartar', /as agendadas vencidas não saem/],
    ['Enviar o que esperava e ligar', 'Enviar e ligar', 'enviar', /Agendadas vencidas que saem: 4/],
  ])('asks before it decides: %s', async (button, confirm, decisao, warning) => {
    const screen = openSistema({ restauracao: RESTAURACAO })
    screen.api.on('POST /admin/restauracao', () => {
      screen.server.sistema = SISTEMA
      return ok({ mensagens: 12, emails: 2, agendadas: 4 })
    })
    await expect.element(page.getByText('Nada sai e nenhum bot liga até você decidir.')).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: button }).click()
    await expect.element(pergunta.getByText(warning)).toBeVisible()
    await pergunta.getByRole('button', { name: 'Voltar' }).click()
    expect(screen.api.calls.some(({ route }) => route === 'POST /admin/restauracao')).toBe(false)
    await page.getByRole('button', { name: button }).click()
    await pergunta.getByRole('button', { name: confirm }).click()
    await expect.element(aviso(/Os bots estão ligando/)).toBeVisible()
    expect(screen.api.calls.findLast(({ route }) => route === 'POST /admin/restauracao')?.body).toEqual({ decisao })
    await expect.poll(() => page.getByText('O sistema voltou de uma cópia').query()).toBeNull()
  })

  it('keeps the question open when the server refuses', async () => {
    const screen = openSistema({ restauracao: RESTAURACAO })
    screen.api.on('POST /admin/restauracao', () => ({ status: 500, body: '' }))
    await page.getByRole('button', { name: 'Descartar o que esperava e ligar' }).click()
    await pergunta.getByRole('button', { name: 'Descartar e ligar' }).click()
    await expect.element(page.getByText('Erro ao liberar os envios').first()).toBeVisible()
    await expect.element(page.getByText('Nada sai e nenhum bot liga até você decidir.')).toBeVisible()
  })
})

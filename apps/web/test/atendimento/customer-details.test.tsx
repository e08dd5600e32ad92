import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Contato } from '@balcao/contract/entities/contato'
import { expectAccessible } from '#test/axe.ts'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConversa, makeMensagem, minutesAgo } from './sample-conversas.ts'
import {
  type AtendimentoTestApp,
  aviso,
  button,
  composer,
  conversaRow,
  emitCustomerMensagem,
  openName,
  sentBodies,
  setupAtendimento,
  waitForSocket,
} from './tab.ts'

/** The customer beside the chat. */

const URL = '/dashboard?aba=atendimento&c=c1'
const open = setupAtendimento(() => {
  Reflect.deleteProperty(navigator, 'clipboard')
  Reflect.deleteProperty(navigator, 'onLine')
  dispatchEvent(new Event('online'))
})
const details = page.getByRole('complementary', { name: 'Detalhes' })
const FICHA = 'GET /atendimento/conversas/c1/cliente'
const FILES = 'GET /atendimento/conversas/c1/arquivos'

const CONTATO: Contato = {
  ...{ id: 'k1', nome: 'Marina Duarte', telefone: '5511987654321', etiquetas: [] },
  ...{ observacao: 'Alérgica a amendoim', criadoEm: minutesAgo(60), ultimaAtividade: minutesAgo(3) },
}

function openWithContato(fields: Parameters<typeof makeConversa>[0] = {}, url = URL): AtendimentoTestApp {
  const app = open(
    {
      open: [makeConversa({ contatoId: 'k1', ...fields })],
      etiquetas: [
        { id: 'e1', nome: 'VIP', cor: 'purple' },
        { id: 'e2', nome: 'Atacado', cor: 'orange' },
        { id: 'e3', nome: 'Ação de Natal', cor: 'green' },
      ],
    },
    url,
  )
  app.api.on('GET /contatos/k1', () => ok({ contato: CONTATO }))
  app.api.on('PUT /contatos/k1', ({ body }) => ok({ contato: { ...CONTATO, ...Object(body) } }))
  return app
}

async function openBeside(fields: Parameters<typeof makeConversa>[0] = {}): Promise<AtendimentoTestApp> {
  await page.viewport(1600, 900)
  return openWithContato(fields)
}

describe('Name, phone, protocolo and observação', () => {
  it('renames the customer in place and shows a refusal', async () => {
    const app = await openBeside()
    await details.getByRole('button', { name: 'Mudar o nome' }).click()
    const name = details.getByRole('textbox', { name: 'Nome' })
    await expect.element(name).toHaveFocus()
    await name.fill('Marina da Padaria')
    await userEvent.keyboard('{Enter}')
    await expect.element(openName('Marina da Padaria')).toBeVisible()
    await expect.element(conversaRow('Marina da Padaria')).toBeVisible()
    await expect.element(details.getByRole('button', { name: 'Mudar o nome' })).toHaveFocus()
    expect(sentBodies(app, 'PUT /contatos/k1')).toEqual([{ nome: 'Marina da Padaria' }])
    app.api.on('PUT /contatos/k1', () => refusal(403, 'semPermissao', 'Só o dono muda o nome.'))
    await userEvent.keyboard('{Enter}')
    await name.fill('Outra')
    await userEvent.keyboard('{Enter}')
    await expect.element(details.getByText('Só o dono muda o nome.')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(name).not.toBeInTheDocument()
  })

  it('copies phone and protocolo', async () => {
    await openBeside()
    const copied: string[] = []
    const writeText = async (text: string): Promise<void> => void copied.push(text)
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    await details.getByRole('button', { name: 'Copiar o telefone' }).click()
    await expect.element(aviso('Telefone copiado.')).toBeVisible()
    await details.getByRole('button', { name: 'Copiar o protocolo' }).click()
    await expect.element(aviso('Protocolo copiado.')).toBeVisible()
    expect(copied).toEqual(['+55 11 98765-4321', '20261121-0001'])
  })

  it('shows the observação before the other facts and changes it', async () => {
    const app = await openBeside()
    const note = details.getByText('Alérgica a amendoim')
    await expect.element(note).toHaveClass('bg-warn-soft')
    const etiquetas = details.getByRole('heading', { name: 'Etiquetas' }).element()
    expect(note.element().compareDocumentPosition(etiquetas)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    await details.getByRole('button', { name: 'Mudar a observação' }).click()
    const field = details.getByRole('textbox', { name: 'Observação' })
    await field.fill('Alérgica a amendoim e a leite')
    await details.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(details.getByText('Alérgica a amendoim e a leite')).toBeVisible()
    expect(sentBodies(app, 'PUT /contatos/k1')).toEqual([{ observacao: 'Alérgica a amendoim e a leite' }])
  })

  it('says that the observação did not arrive', async () => {
    const app = await openBeside()
    app.api.on('GET /contatos/k1', () => refusal(404, 'naoEncontrado', 'Não existe.'))
    await expect.element(details.getByText('A observação não chegou.')).toBeVisible()
    app.api.on('GET /contatos/k1', () => ok({ contato: { ...CONTATO, observacao: '' } }))
    await details.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(details.getByRole('button', { name: 'Escrever a observação' })).toBeVisible()
  })
})

describe('Etiquetas by typing', () => {
  it('adds the etiqueta that fits with Enter', async () => {
    const app = await openBeside()
    const field = details.getByRole('combobox', { name: 'Adicionar etiqueta' })
    await field.click()
    await userEvent.keyboard('acao')
    await expect.element(details.getByRole('option')).toHaveLength(1)
    await userEvent.keyboard('{Enter}')
    await expect.element(details.getByRole('button', { name: 'Tirar a etiqueta Ação de Natal' })).toBeVisible()
    await expect.element(field).toHaveValue('')
    await userEvent.keyboard('{ArrowDown}')
    await expect.element(details.getByRole('option', { selected: true })).toMatchTextContent('Atacado')
    await userEvent.keyboard('{Enter}')
    await userEvent.keyboard('nada')
    await expect.element(details.getByText(/Nenhuma etiqueta com este nome/)).toBeVisible()
    expect(sentBodies(app, 'PUT /contatos/k1')).toEqual([{ etiquetas: ['e3'] }, { etiquetas: ['e3', 'e2'] }])
  })
})

describe('How the customer came', () => {
  const FACTS = { anteriores: [], totalAnteriores: 0, avaliacoes: { total: 0, notaMedia: null } }
  const RESUMO = {
    ...{ caminho: ['Loja', 'Falar com um atendente'], produtos: ['Bolo de fubá'], ultimas: ['quero dois', '2'] },
    motivo: 'escolheu “Falar com um atendente”',
  }

  it('stands above the other facts, and gains the summary of the AI when it arrives', async () => {
    const app = await openBeside()
    app.api.on(FICHA, () => ok({ ...FACTS, resumo: RESUMO }))
    const brief = details.getByRole('region', { name: 'Como chegou' })
    await expect.element(brief.getByText('Escolheu “Falar com um atendente”', { exact: true })).toBeVisible()
    for (const text of ['Loja › Falar com um atendente', 'Bolo de fubá', '“quero dois”']) {
      await expect.element(brief.getByText(text, { exact: true })).toBeVisible()
    }
    const name = details.getByRole('button', { name: 'Mudar o nome' }).element()
    expect(brief.element().compareDocumentPosition(name)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    app.api.on(FICHA, () => ok({ ...FACTS, resumo: { ...RESUMO, ia: 'Quer dois bolos.\nPergunta da entrega.' } }))
    await waitForSocket()
    fakeSocket.emit('resumoConversa', {
      userId: CONTA_ID,
      conversaId: 'c1',
      ia: 'Quer dois bolos.\nPergunta da entrega.',
    })
    await expect.element(brief.getByText(/^Quer dois bolos/)).toBeVisible()
    await expectAccessible()
  })

  it('is left out by an older server', async () => {
    const app = await openBeside()
    app.api.on(FICHA, () => ok(FACTS))
    await expect.element(details.getByText('Nenhuma ainda')).toBeVisible()
    await expect.element(details.getByRole('region', { name: 'Como chegou' })).not.toBeInTheDocument()
  })
})

describe('History and files', () => {
  it('shows three earlier conversas with stars, and more on request', async () => {
    const app = await openBeside()
    const anteriores = [5, 4, 3, 2].map((nota) => ({
      ...{ id: `v${nota}`, protocolo: `20260102-000${nota}`, setor: 'vendas', status: 'finalizada' },
      ...{ operador: 'Bruno', iniciadoEm: minutesAgo(90_000), nota },
    }))
    const ficha = { anteriores, totalAnteriores: 4, avaliacoes: { total: 4, notaMedia: 3.5 } }
    app.api.on(FICHA, () => ok(ficha))
    const rows = details.getByRole('button', { name: /20260102-000/ })
    await expect.element(rows).toHaveLength(3)
    await expect.element(rows.first()).toMatchTextContent('nota 5')
    await details.getByRole('button', { name: 'Mostrar mais' }).click()
    await expect.element(rows).toHaveLength(4)
  })

  it('lists files and links of the open chat and the next scheduled message', async () => {
    const midia = { tipo: 'documento', url: '/api/midias/a.pdf?e=1&a=x', nomeArquivo: 'pedido.pdf' } as const
    const app = await openBeside({
      mensagens: [
        makeMensagem({ id: 'm1', texto: 'Veja https://aurora.com.br/bolos' }),
        makeMensagem({ id: 'm2', texto: '', midia }),
      ],
    })
    const agendada = { conversaId: 'c1', autor: 'Ana', cancelarSeResponder: true, estado: 'marcada' }
    const agendadas = [
      { ...agendada, id: 'a2', mensagem: 'Depois', enviarEm: '2099-12-01T12:00:00.000Z' },
      { ...agendada, id: 'a1', mensagem: 'Seu bolo está pronto', enviarEm: '2099-11-17T12:00:00.000Z' },
    ]
    app.api.on('GET /atendimento/conversas/c1/agendadas', () => ok({ agendadas }))
    await expect.element(details.getByRole('link', { name: 'pedido.pdf' })).toBeVisible()
    await expect.element(details.getByRole('link', { name: 'https://aurora.com.br/bolos' })).toBeVisible()
    const next = details.getByRole('region', { name: 'Próxima mensagem agendada' })
    await expect.element(next).toMatchTextContent('Seu bolo está pronto')
    expect(details.getByText('Depois').query()).toBeNull()
  })

  const linkAt = (n: number) => ({
    ...{ mensagemId: `a${n}`, em: minutesAgo(90_000 + n), autor: 'Marina', nossa: false },
    link: `https://aurora.com.br/${n}`,
  })
  const links = details.getByRole('region', { name: 'Arquivos e links' }).getByRole('link')
  const showMore = details
    .getByRole('region', { name: 'Arquivos e links' })
    .getByRole('button', { name: 'Mostrar mais' })

  it('reads older files page by page and shows new ones on top when they arrive', async () => {
    const pages = [Array.from({ length: 7 }, (_, n) => linkAt(n)), [linkAt(7)]]
    const app = await openBeside()
    app.api.on(FILES, ({ url }) =>
      ok(url.searchParams.get('cursor') === 'a6' ? { itens: pages[1] } : { itens: pages[0], proximoCursor: 'a6' }),
    )
    await expect.element(links).toHaveLength(5)
    await showMore.click()
    await expect.element(links).toHaveLength(7)
    await showMore.click()
    await expect.element(links).toHaveLength(8)
    await expect.element(showMore).not.toBeInTheDocument()
    await waitForSocket()
    emitCustomerMensagem('c1', { texto: 'Novo: https://aurora.com.br/novo' })
    await expect.element(links.first()).toHaveTextContent('https://aurora.com.br/novo')
    await expect.element(links).toHaveLength(9)
  })

  it('keeps the files of the open chat without an answer, and reads the others again', async () => {
    const app = await openBeside({ mensagens: [makeMensagem({ id: 'm1', texto: 'https://aurora.com.br/aqui' })] })
    app.api.on(FILES, () => refusal(400, 'dadosInvalidos', 'Erro'))
    await expect.element(details.getByRole('alert')).toMatchTextContent('Os arquivos mais antigos não chegaram.')
    expect(links.all()).toHaveLength(1)
    app.api.on(FILES, () => ok({ itens: [linkAt(1)] }))
    await details.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(links).toHaveLength(2)
    await expectAccessible()
  })

  it('says that a chat has no file', async () => {
    await openBeside()
    await expect.element(details.getByRole('region', { name: 'Arquivos e links' })).toMatchTextContent('Nenhum')
  })
})

it('reads the history while the browser says that it is offline', async () => {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: false })
  dispatchEvent(new Event('offline'))
  await openBeside()
  await expect.element(details.getByText('Primeira conversa com uma pessoa')).toBeVisible()
  expect(details.getByRole('status', { name: 'Carregando o histórico' }).query()).toBeNull()
})

describe('Details on a phone', () => {
  it('have an address, and Back returns to the chat', async () => {
    await page.viewport(360, 740)
    openWithContato()
    await expect.element(composer).toBeVisible()
    await button('Mais ações').click()
    await page.getByRole('menuitem', { name: 'Detalhes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Marina Duarte' })
    await expect.element(dialog.getByText('20261121-0001')).toBeVisible()
    expect(location.search).toContain('detalhes=')
    history.back()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(location.search).toContain('c=c1')
    await expect.element(composer).toBeVisible()
    await button('Mais ações').click()
    await page.getByRole('menuitem', { name: 'Detalhes' }).click()
    await expect.element(dialog.getByText('20261121-0001')).toBeVisible()
    await dialog.getByRole('button', { name: 'Fechar' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.poll(() => location.search).not.toContain('detalhes=')
  })

  it('open by a link and close to the chat', async () => {
    await page.viewport(360, 740)
    openWithContato({}, `${URL}&detalhes=cliente`)
    const dialog = page.getByRole('dialog', { name: 'Marina Duarte' })
    await dialog.getByRole('combobox', { name: 'Adicionar etiqueta' }).click()
    await expect.element(dialog.getByRole('option')).toHaveLength(3)
    await expectAccessible()
    await page.viewport(360, 740)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog.getByRole('option')).toHaveLength(0)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.poll(() => location.search).toBe('?aba=atendimento&c=c1')
  })
})

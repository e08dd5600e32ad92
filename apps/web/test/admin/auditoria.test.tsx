import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import toast from 'react-hot-toast/headless'
import { auditoriaToCsv } from '#features/admin/auditoria/ato-list.tsx'
import { formatBytes, formatLongDuration } from '#features/admin/sistema/sistema-cards.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { type AdminTestApp, openAdmin, SISTEMA, makeAct } from './server.ts'

let open: AdminTestApp | null = null
afterEach(() => {
  open?.close()
  toast.remove()
})

const CHEFE = { id: 'eu', nome: 'Administrador', email: 'chefe@balcao.test' }
const CAIO = { id: 'caio', nome: 'Caio Lima', email: 'caio@loja.com.br' }
const ATOS = [
  makeAct({ acao: 'planoAplicado', quem: CHEFE, alvo: CAIO, detalhe: 'De Gratuito para Doação', ip: '198.51.100.4' }),
  makeAct({ resultado: 'recusado', quem: { id: null, nome: '', email: 'invasor@fora.test' }, detalhe: 'Senha errada' }),
  makeAct({ acao: 'contaApagada', quem: null, alvo: { id: 'x', nome: '', email: '' }, ip: '' }),
]

const line = (nome: RegExp) => page.getByRole('row', { name: nome })

it('shows actor, act, target, IP and result, with a text for unnamed people', async () => {
  open = openAdmin('/admin?aba=auditoria', { acts: ATOS })
  const plano = line(/Plano aplicado/)
  await expect.element(plano.getByText('De Gratuito para Doação')).toBeVisible()
  await expect.element(plano.getByText('chefe@balcao.test')).toBeVisible()
  await expect.element(plano.getByText('Caio Lima')).toBeVisible()
  await expect.element(plano.getByText('198.51.100.4')).toBeVisible()
  await expect.element(plano.getByText('Feito')).toBeVisible()
  await expect.element(line(/invasor@fora.test/).getByText('Recusado')).toBeVisible()
  await expect.element(line(/Conta apagada de vez/).getByText('Sistema')).toBeVisible()
  await expect.element(line(/Conta apagada de vez/).getByText('Conta apagada', { exact: true })).toBeVisible()
})

it('filters by act, period, result and words in the URL and clears an empty result', async () => {
  open = openAdmin('/admin?aba=auditoria', { acts: ATOS })
  const requests: Record<string, string>[] = []
  await page.getByLabelText('Ação').selectOptions('Plano aplicado')
  await expect.poll(() => line(/invasor/).query()).toBeNull()
  open.api.on('GET /admin/auditoria', ({ url }) => {
    requests.push(Object.fromEntries(url.searchParams))
    return ok({ atos: [] })
  })
  await page.getByLabelText('Período').selectOptions('Hoje')
  await page.getByLabelText('Resultado').selectOptions('Recusado')
  await page.getByRole('searchbox').fill('fora')
  await expect
    .poll(() => location.search)
    .toBe('?aba=auditoria&busca=fora&acao=planoAplicado&periodo=hoje&status=recusado')
  await expect
    .poll(() => requests.at(-1))
    .toEqual({ limite: '50', quem: 'fora', acao: 'planoAplicado', periodo: 'hoje', resultado: 'recusado' })
  await page.getByRole('button', { name: 'Limpar filtros' }).click()
  await expect.poll(() => location.search).toBe('?aba=auditoria')
  await expect.poll(() => requests.at(-1)).toEqual({ limite: '50', periodo: 'tudo' })
})

it('loads more on request and shows loading and failed states', async () => {
  open = openAdmin('/admin?aba=auditoria')
  open.api.on('GET /admin/auditoria', () => refusal(503, 'bancoIndisponivel', 'O servidor está indisponível.'))
  open.close()
  open = openAdmin('/admin?aba=auditoria')
  open.api.on('GET /admin/auditoria', ({ url }) =>
    url.searchParams.get('cursor') === 'c2' ? ok({ atos: [ATOS[1]] }) : ok({ atos: [ATOS[0]], proximoCursor: 'c2' }),
  )
  await page.getByRole('button', { name: 'Carregar mais' }).click()
  await expect.element(line(/invasor/)).toBeVisible()
  await expect.element(line(/Plano aplicado/)).toBeVisible()
  await expect.poll(() => page.getByRole('button', { name: 'Carregar mais' }).query()).toBeNull()
})

it('exports a CSV without formulas', () => {
  const mau = makeAct({ quem: { id: null, nome: '=HYPERLINK("http://x")', email: '+55@x.test' }, detalhe: 'a;b' })
  const [title, linhaUm] = auditoriaToCsv([mau]).slice(1).split('\r\n')
  expect(title).toBe(
    '"Quando";"Ação";"Resultado";"Quem";"E-mail de quem";"Sobre quem";"E-mail sobre quem";"De onde";"Detalhe"',
  )
  expect(linhaUm?.split(';').slice(1).join(';')).toBe(
    `"Entrada no painel";"Feito";"'=HYPERLINK(""http://x"")";"'+55@x.test";"";"";"203.0.113.7";"a;b"`,
  )
})

it('shows system measurements in plain words and warns of problems', async () => {
  open = openAdmin('/admin?aba=sistema', {
    sistema: {
      ...SISTEMA,
      fila: { mensagens: 7, maisAntigaS: 4000, perguntasIa: 0 },
      bots: { porStatus: [], semDono: 2 },
    },
  })
  await expect.element(page.getByText('3 d 4 h')).toBeVisible()
  await expect.element(page.getByText('1,5 GB')).toBeVisible()
  await expect.element(page.getByText('1 h 6 min')).toBeVisible()
  await expect.element(page.getByText('Nenhum foi iniciado ainda')).toBeVisible()
  await expect.element(page.getByText(/ainda não foram copiados/)).toBeVisible()
  await expect.element(page.getByText('servidor-de-producao · 4242')).toBeVisible()
  await expect.element(page.getByText('7.0.0-rc14')).toBeVisible()
  await expect.element(page.getByText('Fotos e outros arquivos')).toBeVisible()
  // A command that people copy must not wrap.
  expect(page.getByText('npm run db:export', { exact: true }).element().getClientRects()).toHaveLength(1)
  await expect.element(page.getByText('COPIA_DIR')).toBeVisible()
  await page.getByRole('link', { name: '1', exact: true }).click()
  await expect.element(page.getByRole('button', { name: 'Excluídos' })).toHaveAttribute('aria-pressed', 'true')
})

it.each([
  [0, '0 s'],
  [59.6, '1 min'],
  [3_600, '1 h'],
  [93_784, '1 d 2 h'],
])('formats %d seconds as %s', (seconds, said) => {
  expect(formatLongDuration(seconds)).toBe(said)
})

it('formats sizes in the largest unit that fits', () => {
  expect([0, 1023, 1536, 5_242_880, 2 ** 41].map(formatBytes)).toEqual(['0 B', '1.023 B', '1,5 KB', '5 MB', '2 TB'])
})

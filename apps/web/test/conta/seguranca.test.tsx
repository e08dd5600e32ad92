import '#test/dashboard/fake-socket.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { makeUsuario, openApp, storeSession } from '#test/render.tsx'

const AT = '2026-03-10T15:00:00.000Z'
const CODES = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-JKM${index}`)
const QR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'

const sessao = (id: string, atual: boolean, aparelho: string) => ({
  id,
  atual,
  aparelho,
  criadaEm: AT,
  ultimoUso: AT,
  ip: '203.0.113.7',
  metodo: 'senha',
})

let api: FakeApi
let close = (): void => undefined
let factor = { totp: false, passkeys: 0, recuperacao: 0, exigido: false }
let sessoes = [sessao('s1', true, 'Chrome no Windows'), sessao('s2', false, 'Safari no iPhone')]
let proven = false

const needsProof = () => refusal(403, 'confirmacaoNecessaria', 'Confirme que é você.', { metodos: ['senha', 'totp'] })
const done = { status: 204 }

beforeEach(() => {
  factor = { totp: false, passkeys: 0, recuperacao: 0, exigido: false }
  sessoes = [sessao('s1', true, 'Chrome no Windows'), sessao('s2', false, 'Safari no iPhone')]
  proven = true
  api = fakeApi({
    'GET /auth/eu': () => ok({ usuario: makeUsuario(), seguranca: factor }),
    'GET /auth/passkeys': () => ok({ passkeys: [{ id: 'p1', nome: 'Celular da Ana', criadaEm: AT, ultimoUso: null }] }),
    'GET /auth/sessoes': () => ok({ sessoes }),
    'GET /conta/seguranca': () => ok({ exigirSegundoFator: 'ninguem', sessaoHoras: 720, versao: 3 }),
    'PUT /conta/seguranca': ({ body }) => ok({ ...Object(body), versao: 4 }),
    'POST /auth/totp': () =>
      proven ? ok({ segredo: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x', qr: QR }) : needsProof(),
    'POST /auth/totp/confirmar': () => {
      factor = { ...factor, totp: true, recuperacao: 10 }
      return ok({ recuperacao: CODES })
    },
    'DELETE /auth/passkeys/p1': () => (proven ? done : needsProof()),
    'POST /auth/confirmar': ({ body }) => {
      if (Reflect.get(Object(body), 'senha') !== 'certa') return refusal(403, 'senhaAtualIncorreta', 'Senha incorreta.')
      proven = true
      return done
    },
    'DELETE /auth/sessoes/s2': () => {
      sessoes = sessoes.filter(({ atual }) => atual)
      return done
    },
  })
})
afterEach(() => {
  close()
  api.restore()
})

function open(fields = {}): void {
  storeSession(makeUsuario(fields))
  close = openApp('/seguranca')
}

const times = (route: string) => api.calls.filter((sent) => sent.route === route).length
const question = page.getByRole('dialog', { name: 'Confirme que é você' })

describe('Second factor', () => {
  it('shows the drawing and the key, and after the code the recovery codes', async () => {
    open()
    await page.getByRole('button', { name: 'Ligar', exact: true }).click()
    await expect.element(page.getByRole('img', { name: 'QR Code para o aplicativo de códigos' })).toBeVisible()
    await expect.element(page.getByText('JBSWY3DPEHPK3PXP')).toBeVisible()
    await page.getByLabelText('Código de 6 números').fill('123456')
    await expect.element(page.getByRole('list', { name: 'Códigos de recuperação' })).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'Guardei os códigos' }).click()
    await expect.element(page.getByText('Restam 10 códigos de recuperação.')).toBeVisible()
  })

  it('replaces the panel by the enrolment where it is demanded, and returns afterwards', async () => {
    api.on('GET /auth/sessoes', () =>
      factor.totp ? ok({ sessoes }) : refusal(403, 'segundoFatorObrigatorio', 'Ative a verificação.'),
    )
    open()
    await expect.element(page.getByText('Sua loja exige a verificação em duas etapas')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Sair' })).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'Usar um aplicativo de códigos' }).click()
    await page.getByLabelText('Código de 6 números').fill('123456')
    await page.getByRole('button', { name: 'Guardei os códigos, continuar' }).click()
    await expect.element(page.getByText(/^Chrome no Windows/)).toBeVisible()
  })
})

describe('Confirmation of a sensitive act', () => {
  it('asks once and repeats the call', async () => {
    proven = false
    open()
    await page.getByRole('button', { name: 'Remover Celular da Ana' }).click()
    await page.getByRole('button', { name: 'Remover', exact: true }).click()
    await expect.element(page.getByLabelText('Sua senha')).toHaveFocus()
    await userEvent.keyboard('errada{Enter}')
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Senha incorreta/)
    await page.getByLabelText('Sua senha').fill('certa')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Chave de acesso removida.').first()).toBeVisible()
    await expect.element(question).not.toBeInTheDocument()
    expect(times('DELETE /auth/passkeys/p1')).toBe(2)
  })

  it('fails as before when the person cancels', async () => {
    proven = false
    open()
    await page.getByRole('button', { name: 'Remover Celular da Ana' }).click()
    await page.getByRole('button', { name: 'Remover', exact: true }).click()
    await expect.element(question).toBeVisible()
    await expectAccessible()
    await page.getByRole('button', { name: 'Cancelar' }).click()
    await expect.element(page.getByText('Confirme que é você.').first()).toBeVisible()
    expect(times('DELETE /auth/passkeys/p1')).toBe(1)
  })
})

describe('Sessions and rules', () => {
  it('ends another session and keeps this one', async () => {
    open()
    await expect.element(page.getByText('Este aparelho', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Encerrar Safari no iPhone' }).click()
    await expect.element(page.getByText('Nenhum outro aparelho está conectado.')).toBeVisible()
  })

  it('saves who must have a second factor', async () => {
    open()
    await page.getByLabelText('Quem precisa da verificação em duas etapas').selectOptions('todos')
    await page.getByLabelText('Horas até entrar de novo').fill('12')
    await page.getByRole('button', { name: 'Salvar' }).click()
    await expect.element(page.getByText('Regras salvas.').first()).toBeVisible()
    const sent = api.calls.find(({ route }) => route === 'PUT /conta/seguranca')
    expect(sent?.body).toEqual({ exigirSegundoFator: 'todos', sessaoHoras: 12, versao: 3 })
  })

  it('hides the rules from an operador', async () => {
    api.on('GET /auth/eu', () => ok({ usuario: makeUsuario({ tipo: 'operador' }), seguranca: factor }))
    open({ tipo: 'operador' })
    await expect.element(page.getByText('Safari no iPhone')).toBeVisible()
    await expect.element(page.getByText('Regras da loja')).not.toBeInTheDocument()
  })

  it('passes axe', async () => {
    open()
    await expect.element(page.getByText('Safari no iPhone')).toBeVisible()
    await expect.element(page.getByText('Celular da Ana')).toBeVisible()
    await expectAccessible()
  })

  it('offers another attempt when the sessions cannot be read', async () => {
    api.on('GET /auth/sessoes', () => refusal(404, 'naoEncontrado', 'Sem resposta'))
    open()
    await expect.element(page.getByText('Sem resposta')).toBeVisible()
    api.on('GET /auth/sessoes', () => ok({ sessoes }))
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(page.getByText('Safari no iPhone')).toBeVisible()
  })
})

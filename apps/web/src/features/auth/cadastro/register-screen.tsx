import { registrarRoute } from '@balcao/contract/routes/cadastro'
import { useNavigate, useSearch, Link } from '@tanstack/react-router'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { TEXTS } from '#shared/texts.ts'
import { AuthLayout } from '#features/auth/auth-layout.tsx'
import {
  REGISTRATION_FIELDS,
  checkRegistration,
  parsePlano,
  readRegistration,
  useRegistrationOptions,
} from './registration.ts'
import {
  refusalOf,
  useAuthForm,
  type FormRefusal,
  FormRefusalNotice,
  type AuthForm,
} from '#features/auth/auth-form.tsx'
import { useState } from 'react'
import type { Plano } from '@balcao/contract/constants'
import { maskPhone } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { NewPassword } from '#features/auth/senha/new-password.tsx'

export function RegisterScreen() {
  const navigate = useNavigate()
  const { plano } = useSearch({ from: '/register' })
  const { open, email: sendsMail } = useRegistrationOptions()

  const record = async (data: FormData): Promise<FormRefusal | null> => {
    const failure = checkRegistration(data)
    if (failure !== null) return failure
    try {
      const { mensagem } = await call(registrarRoute, { body: readRegistration(data) })
      notify.sucesso(mensagem === '' ? TEXTS.cadastroSucesso : mensagem)
      await navigate({ to: '/login', search: { aviso: 'aguardando' } })
      return null
    } catch (error) {
      const refusal = refusalOf(error, TEXTS.cadastroErro, REGISTRATION_FIELDS)
      return refusal.code === 'emailJaCadastrado' ? { ...refusal, field: 'email' } : refusal
    }
  }
  const form = useAuthForm(record, 'nome')

  if (!open || form.refusal?.code === 'cadastroFechado') {
    return (
      <AuthLayout title="Cadastro fechado por enquanto">
        <RegistrationClosed />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout title="Criar conta" summary="Em poucos minutos a sua loja responde sozinha.">
      <RegistrationForm form={form} plano={parsePlano(plano)} sendsMail={sendsMail} />
    </AuthLayout>
  )
}

function RegistrationClosed() {
  return (
    <>
      <p className="text-muted">
        O administrador não está recebendo novas contas agora. Se você já tem uma, é só entrar. Se precisa de uma, fale
        com quem administra este Balcão.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Link to="/login" className="btn btn-primary btn-lg">
          Entrar
        </Link>
        <a href="/" className="btn btn-outline btn-lg">
          Voltar ao início
        </a>
      </div>
    </>
  )
}

const PLANO_WITH_PRICE: Readonly<Record<Plano, string>> = {
  gratuito: 'Gratuito, R$ 0',
  doacao: 'Doação, R$ 10,00 por mês',
}
const OTHER: Readonly<Record<Plano, { readonly plano: Plano; readonly action: string }>> = {
  gratuito: { plano: 'doacao', action: 'Trocar para Doação' },
  doacao: { plano: 'gratuito', action: 'Trocar para Gratuito' },
}

/** The plan wished on the landing page. It stays in the address, so that a reload keeps it. */
function PlanoChoice({ plano }: { plano: Plano }) {
  const other = OTHER[plano]
  return (
    <div className="rounded-card border border-line px-4 py-3 text-sm">
      <p aria-live="polite">
        Plano escolhido: <strong>{PLANO_WITH_PRICE[plano]}</strong>
      </p>
      <p className="mt-1 text-muted">O administrador aplica o plano à sua conta.</p>
      <Link
        to="/register"
        search={{ plano: other.plano }}
        replace
        resetScroll={false}
        className="mt-1 inline-flex min-h-8 items-center font-semibold text-brand-ink underline underline-offset-4"
      >
        {other.action}
      </Link>
      <input type="hidden" name="planoDesejado" value={plano} />
    </div>
  )
}

const INLINE_LINK_CLASS = 'font-semibold text-brand-ink underline underline-offset-4'

const legalLinkProps = (label: string) => ({
  target: '_blank',
  rel: 'noopener',
  'aria-label': `${label} (abre em outra aba)`,
})

interface RegistrationFormProps {
  readonly form: AuthForm
  readonly plano: Plano | null
  readonly sendsMail: boolean
}

function RegistrationForm({ form: { refusal, busy, onSubmit, errorOf }, plano, sendsMail }: RegistrationFormProps) {
  return (
    <>
      <form noValidate onSubmit={onSubmit} className="space-y-4">
        <FormRefusalNotice refusal={refusal} />
        {plano !== null && <PlanoChoice plano={plano} />}
        <TextField label="Nome" name="nome" autoComplete="name" required error={errorOf('nome')} className="min-h-12" />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="email"
          required
          error={errorOf('email')}
          className="min-h-12"
        />
        <CompanyFields errorOf={errorOf} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <NewPassword label="Senha" errorOf={errorOf} />
        </div>
        <TermsCheckbox error={errorOf('termos')} />
        <p className="rounded-card bg-sunken px-4 py-3 text-sm text-muted">
          Um administrador precisa aprovar a sua conta.{' '}
          {sendsMail ? 'Você recebe um e-mail assim que ela for ativada.' : 'Depois disso, você já pode entrar.'}
        </p>
        <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
          {busy ? 'Criando conta...' : 'Criar conta'}
        </Button>
      </form>
      <p className="mt-6 text-center text-muted">
        Já tem conta?{' '}
        <Link to="/login" className={`inline-block py-1 ${INLINE_LINK_CLASS}`}>
          Entrar
        </Link>
      </p>
    </>
  )
}

function CompanyFields({ errorOf }: Pick<AuthForm, 'errorOf'>) {
  const [telefone, setTelefone] = useState('')
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label="Telefone"
        name="telefone"
        type="tel"
        autoComplete="tel-national"
        placeholder="(11) 98765-4321"
        value={telefone}
        onChange={({ currentTarget }) => setTelefone(maskPhone(currentTarget.value))}
        error={errorOf('telefone')}
        className="min-h-12"
      />
      <TextField
        label="Empresa"
        name="empresa"
        autoComplete="organization"
        error={errorOf('empresa')}
        className="min-h-12"
      />
    </div>
  )
}

function TermsCheckbox({ error }: { error: string | undefined }) {
  return (
    <Checkbox
      name="termos"
      required
      error={error}
      label={
        <>
          Li e aceito os{' '}
          <Link to="/terms" {...legalLinkProps('termos de uso')} className={INLINE_LINK_CLASS}>
            termos de uso
          </Link>{' '}
          e a{' '}
          <Link to="/privacy" {...legalLinkProps('política de privacidade')} className={INLINE_LINK_CLASS}>
            política de privacidade
          </Link>
        </>
      }
    />
  )
}

import { Link, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import type { Desafio } from '@balcao/contract/entities/segundo-fator'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { hasPasskeys } from '#shared/identity/has-passkeys.ts'
import { type NewSession, useLoginSession } from '#shared/session.tsx'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { Checkbox } from '#shared/ui/checkbox.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { AuthLayout } from '#features/auth/auth-layout.tsx'
import {
  FormRefusalNotice,
  refusalOf,
  refuse,
  fieldText,
  useAuthForm,
  type FormRefusal,
} from '#features/auth/auth-form.tsx'
import { useRegistrationOptions } from '#features/auth/cadastro/registration.ts'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { Notice } from '#shared/ui/notice.tsx'

const SecondStep = lazy(async () => ({ default: (await import('./second-step.tsx')).SecondStep }))

const PasskeyEntry = lazy(async () => ({ default: (await import('./passkey-entry.tsx')).PasskeyEntry }))

/** Only pages of the panel, so that a link cannot lead a person elsewhere after the login. */
const RETURN_PATH = /^\/(?:dashboard|admin|simulador|seguranca|conta)(?=[?#]|$)/

function useEnter(): (session: NewSession) => Promise<void> {
  const { enter } = useLoginSession()
  const { para = '' } = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const { history } = useRouter()
  return async (session) => {
    const { nome, tipo } = session.usuario
    enter(session)
    notify.sucesso(`${TEXTS.loginSucesso} ${TEXTS.bemVindo(nome)}`)
    if (RETURN_PATH.test(para)) history.replace(para)
    else await navigate({ to: tipo === 'admin' ? '/admin' : '/dashboard' })
  }
}

function useLoginForm(
  onEnter: (session: NewSession) => Promise<void>,
  onChallenge: (desafio: Desafio, email: string) => void,
) {
  const { login } = useLoginSession()
  const submit = async (data: FormData): Promise<FormRefusal | null> => {
    const email = fieldText(data, 'email').trim()
    const password = fieldText(data, 'senha')
    if (email === '') return refuse('email', TEXTS.emailObrigatorio)
    if (password === '') return refuse('senha', TEXTS.senhaObrigatoria)
    try {
      const answer = await login(email, password, data.has('lembrar'))
      if ('desafio' in answer) onChallenge(answer, email)
      else await onEnter(answer)
      return null
    } catch (error) {
      return refusalOf(error, TEXTS.loginErro, ['email', 'senha'])
    }
  }
  return useAuthForm(submit, 'senha')
}

export function LoginScreen() {
  const [desafio, setDesafio] = useState<Desafio | null>(null)
  const [expired, setExpired] = useState(false)
  const [email, setEmail] = useState('')
  const enter = useEnter()
  const back = useCallback((timeIsOver: boolean) => {
    setDesafio(null)
    setExpired(timeIsOver)
  }, [])
  const ask = (fresh: Desafio, typed: string): void => {
    setDesafio(fresh)
    setEmail(typed)
  }
  if (desafio === null) return <PasswordStep expired={expired} email={email} onEnter={enter} onChallenge={ask} />
  return (
    <AuthLayout title="Confirme que é você" summary="Sua conta tem a verificação em duas etapas.">
      <LazyPart name="a confirmação">
        <SecondStep desafio={desafio} onEnter={enter} onBack={back} />
      </LazyPart>
    </AuthLayout>
  )
}

interface PasswordStepProps {
  /** The second step ran out of time or of attempts. */
  readonly expired: boolean
  readonly onEnter: (session: NewSession) => Promise<void>
  readonly email: string
  readonly onChallenge: (desafio: Desafio, email: string) => void
}

function PasswordStep({ expired, email, onEnter, onChallenge }: PasswordStepProps) {
  const { aviso } = useSearch({ from: '/login' })
  const { open, email: sendsMail } = useRegistrationOptions()
  const { refusal, busy, onSubmit, errorOf } = useLoginForm(onEnter, onChallenge)
  const remember = useRef<HTMLInputElement>(null)
  return (
    <AuthLayout title="Entrar no painel">
      <form noValidate onSubmit={onSubmit} className="space-y-4">
        {refusal === null && <LoginNotice aviso={expired ? 'tempo' : aviso} sendsMail={sendsMail} />}
        <FormRefusalNotice refusal={refusal} sendsMail={sendsMail} />
        <TextField
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
          error={errorOf('email')}
          className="min-h-12"
        />
        <PasswordField
          label="Senha"
          name="senha"
          autoComplete="current-password"
          required
          error={errorOf('senha')}
          className="min-h-12"
        />
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <Checkbox ref={remember} name="lembrar" label="Lembrar-me" />
          <Link to="/forgot-password" className="py-1 text-sm font-semibold text-brand-ink hover:underline">
            Esqueci a senha
          </Link>
        </div>
        <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
          {busy ? 'Entrando...' : 'Entrar'}
        </Button>
      </form>
      {hasPasskeys() && (
        <Suspense fallback={<div className="mt-3 h-12" />}>
          <PasskeyEntry remember={() => remember.current?.checked === true} onEnter={onEnter} />
        </Suspense>
      )}
      <OtherEntries registrationOpen={open} />
    </AuthLayout>
  )
}

function OtherEntries({ registrationOpen }: { registrationOpen: boolean }) {
  return (
    <>
      <p className="mt-6 text-center text-muted">
        Ainda não tem conta?{' '}
        {registrationOpen ? (
          <Link to="/register" className="inline-block py-1 font-semibold text-brand-ink underline underline-offset-4">
            Criar conta
          </Link>
        ) : (
          // Same height as the alternative link, so that the layout does not shift.
          <span className="inline-block py-1">Fale com o administrador.</span>
        )}
      </p>
      <section className="mt-8 rounded-card bg-sunken p-4">
        <h2 className="font-bold">Acesso Administrativo</h2>
        <Link to="/admin" className="inline-block py-1 text-sm text-brand-ink underline underline-offset-4">
          Ir para o painel do administrador
        </Link>
      </section>
    </>
  )
}

function LoginNotice({ aviso, sendsMail }: { aviso: string | undefined; sendsMail: boolean }) {
  switch (aviso) {
    case 'aguardando':
      return (
        <Notice tone="espera" title="Aguardando aprovação">
          Recebemos o seu cadastro. {TEXTS.aguardeAprovacao}{' '}
          {sendsMail ? 'Um e-mail avisa quando a conta estiver ativa.' : 'Depois disso, entre por aqui.'}
        </Notice>
      )
    case 'senha':
      return (
        <Notice tone="sucesso" title="Senha redefinida">
          Entre com a senha nova. As outras sessões foram encerradas.
        </Notice>
      )
    case 'convite':
      return (
        <Notice tone="sucesso" title="Senha criada">
          Agora entre com o e-mail do convite.
        </Notice>
      )
    case 'admin':
      return (
        <Notice tone="info" title="Acesso Administrativo">
          Entre com uma conta de administrador para continuar.
        </Notice>
      )
    case 'sessao':
      return (
        <Notice tone="info" title="Sua sessão terminou">
          Entre novamente. Se você não conseguir, fale com quem administra a conta.
        </Notice>
      )
    case 'tempo':
      return (
        <Notice tone="espera" title="O tempo ou as tentativas acabaram">
          Digite a senha de novo para receber outra chance.
        </Notice>
      )
    case undefined:
    default:
      return null
  }
}

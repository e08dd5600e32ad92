import { esqueciSenhaRoute } from '@balcao/contract/routes/acesso'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { TEXTS } from '#shared/texts.ts'
import { Button } from '#shared/ui/button.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useRegistrationOptions } from '#features/auth/cadastro/registration.ts'
import { AuthLayout } from '#features/auth/auth-layout.tsx'
import {
  FormRefusalNotice,
  refusalOf,
  refuse,
  fieldText,
  useAuthForm,
  type FormRefusal,
} from '#features/auth/auth-form.tsx'

interface ResetRequest {
  readonly email: string
  readonly mensagem: string
}

export function ForgotScreen() {
  const [request, setRequest] = useState<ResetRequest | null>(null)
  const ask = async (data: FormData): Promise<FormRefusal | null> => {
    const email = fieldText(data, 'email').trim()
    if (email === '') return refuse('email', TEXTS.emailObrigatorio)
    try {
      const { mensagem } = await call(esqueciSenhaRoute, { body: { email } })
      setRequest({ email, mensagem })
      return null
    } catch (error) {
      return refusalOf(error, esqueciSenhaRoute.fallbackError, ['email'])
    }
  }
  const { email: sendsMail } = useRegistrationOptions()
  const { refusal, busy, onSubmit, errorOf } = useAuthForm(ask, 'email')
  if (!sendsMail) return <NoMailServer />
  return (
    <AuthLayout
      title={request === null ? 'Esqueci a senha' : 'Confira o seu e-mail'}
      summary={
        request === null ? 'Informe o e-mail da sua conta e enviamos um link para criar outra senha.' : undefined
      }
    >
      {request === null ? (
        <form noValidate onSubmit={onSubmit} className="space-y-4">
          <FormRefusalNotice refusal={refusal} />
          <TextField
            label="E-mail"
            name="email"
            type="email"
            autoComplete="username"
            required
            error={errorOf('email')}
            className="min-h-12"
          />
          <Button type="submit" variant="primary" size="lg" busy={busy} className="w-full">
            {busy ? 'Enviando...' : 'Enviar o link'}
          </Button>
        </form>
      ) : (
        <ResetSent request={request} onAnother={() => setRequest(null)} />
      )}
      <BackToLogin />
    </AuthLayout>
  )
}

function BackToLogin() {
  return (
    <p className="mt-6 text-center">
      <Link to="/login" className="inline-block py-1 font-semibold text-brand-ink underline underline-offset-4">
        Voltar para o login
      </Link>
    </p>
  )
}

function NoMailServer() {
  return (
    <AuthLayout title="Esqueci a senha">
      <Notice tone="info" title="Este servidor não envia e-mails">
        Atende em uma loja? Peça uma senha nova a quem cuida da conta. A conta é sua? Fale com o administrador.
      </Notice>
      <BackToLogin />
    </AuthLayout>
  )
}

function ResetSent({ request, onAnother }: { request: ResetRequest; onAnother: () => void }) {
  return (
    <div className="space-y-4">
      <Notice tone="sucesso" title={request.mensagem}>
        <span className="break-words">{request.email}</span>
      </Notice>
      <p className="text-muted">
        O link vale por uma hora e funciona uma vez. Se não chegar em alguns minutos, olhe a caixa de spam ou fale com o
        administrador.
      </p>
      <Button className="w-full" size="lg" onClick={onAnother}>
        Usar outro e-mail ou enviar de novo
      </Button>
    </div>
  )
}

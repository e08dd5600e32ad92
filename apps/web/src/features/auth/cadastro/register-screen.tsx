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
  useRegistrationOpen,
} from './registration.ts'
import { RegistrationForm } from './registration-form.tsx'
import { refusalOf, useAuthForm, type FormRefusal } from '#features/auth/use-auth-form.ts'

export function RegisterScreen() {
  const navigate = useNavigate()
  const { plano } = useSearch({ from: '/register' })
  const open = useRegistrationOpen()

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
      <RegistrationForm form={form} plano={parsePlano(plano)} />
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

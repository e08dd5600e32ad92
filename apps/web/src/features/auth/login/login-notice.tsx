import { TEXTS } from '#shared/texts.ts'
import { Notice } from '#shared/ui/notice.tsx'

/** Shows why the login opened, from `?aviso=`, so that it survives a reload. */
export function LoginNotice({ aviso }: { aviso: string | undefined }) {
  switch (aviso) {
    case 'aguardando':
      return (
        <Notice tone="espera" title="Aguardando aprovação">
          Recebemos o seu cadastro. {TEXTS.aguardeAprovacao} Um e-mail avisa quando a conta estiver ativa.
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
          Agora entre com o e-mail em que você recebeu o convite.
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
          Entre novamente para continuar de onde parou.
        </Notice>
      )
    case undefined:
    default:
      return null
  }
}

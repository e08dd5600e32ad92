import { TEXTOS } from '#shared/textos.ts'
import { Recado } from '#shared/ui/recado.tsx'

/** Shows why the login opened, from `?aviso=`, so that it survives a reload. */
export function AvisoDeChegada({ aviso }: { aviso: string | undefined }) {
  switch (aviso) {
    case 'aguardando':
      return (
        <Recado tom="espera" titulo="Aguardando aprovação">
          Recebemos o seu cadastro. {TEXTOS.aguardeAprovacao} Um e-mail avisa quando a conta estiver ativa.
        </Recado>
      )
    case 'senha':
      return (
        <Recado tom="sucesso" titulo="Senha redefinida">
          Entre com a senha nova. As outras sessões foram encerradas.
        </Recado>
      )
    case 'convite':
      return (
        <Recado tom="sucesso" titulo="Senha criada">
          Agora entre com o e-mail em que você recebeu o convite.
        </Recado>
      )
    case 'admin':
      return (
        <Recado tom="info" titulo="Acesso Administrativo">
          Entre com uma conta de administrador para continuar.
        </Recado>
      )
    case 'sessao':
      return (
        <Recado tom="info" titulo="Sua sessão terminou">
          Entre novamente para continuar de onde parou.
        </Recado>
      )
    case undefined:
    default:
      return null
  }
}

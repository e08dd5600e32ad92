import { redefinirSenhaRoute } from '@balcao/contract/routes/auth'
import { useNavigate } from '@tanstack/react-router'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { useSessao } from '#shared/session.tsx'
import { checkSenhas } from './cadastro.ts'
import { type Envio, type Recusa, recusaDe, texto, useEnvio } from './use-envio.ts'

export interface Desfecho {
  readonly feito: string
  readonly aviso: 'senha' | 'convite'
}

/**
 * Sets a password with the token of an e-mail link, then opens the login. An expired link gives the code
 * `tokenInvalido`.
 */
export function useRedefinir(token: string | undefined, { feito, aviso }: Desfecho): Envio {
  const { encerrar } = useSessao()
  const navigate = useNavigate()
  const redefinir = async (dados: FormData): Promise<Recusa | null> => {
    const falha = checkSenhas(dados)
    if (falha !== null) return falha
    try {
      await call(redefinirSenhaRoute, { body: { token: token ?? '', senha: texto(dados, 'senha') } })
      // The server closed all sessions of this user, so the local one ends too.
      encerrar()
      avisar.sucesso(feito)
      await navigate({ to: '/login', search: { aviso } })
      return null
    } catch (erro) {
      const recusa = recusaDe(erro, redefinirSenhaRoute.erroPadrao, ['senha', 'token'])
      return recusa.campo === 'token' ? { ...recusa, campo: null, codigo: 'tokenInvalido' } : recusa
    }
  }
  return useEnvio(redefinir, 'senha')
}

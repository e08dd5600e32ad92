import type { Usuario } from '@balcao/contract/entities/usuario'
import { euRoute, loginRoute, logoutRoute } from '@balcao/contract/routes/auth'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { ApiError, call, setUnauthorizedHandler } from './api-client.ts'
import { connectSocket, disconnectSocket, estadoDoSocket, onEstadoSocket } from './socket.ts'
import { clearSession, esquecerPessoa, readSession, readToken, writeSession, type StoredSession } from './storage.ts'

/** The session of the page (spec §4). It is read from storage before the first paint; the server is asked afterwards. */
export interface Sessao {
  readonly usuario: Usuario | null
  readonly token: string | null
  readonly login: (email: string, senha: string, lembrar: boolean) => Promise<Usuario>
  readonly logout: () => void
  /** Forgets the session in this browser without telling the server. */
  readonly encerrar: () => void
  /** The server ended the last session: it was revoked or too old. */
  readonly expirou: boolean
}

const SessaoContext = createContext<Sessao | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [sessao, setSessao] = useState<StoredSession | null>(readSession)
  const [expirou, setExpirou] = useState(false)
  const cache = useQueryClient()
  const token = sessao?.token ?? null
  const pessoa = sessao?.usuario.id
  const [trocas, setTrocas] = useState(0)

  const encerrar = useCallback(() => {
    clearSession()
    cache.clear()
    setSessao(null)
  }, [cache])

  useEffect(
    () =>
      setUnauthorizedHandler(() => {
        setExpirou(true)
        encerrar()
      }),
    [encerrar],
  )
  // Another tab logged in or out: this one follows. For somebody else nothing stays on screen, nor half-written.
  useEffect(() => {
    const follow = (evento: StorageEvent): void => {
      if (evento.key !== 'token' && evento.key !== null) return
      const nova = readSession()
      if (nova?.usuario.id !== pessoa) {
        esquecerPessoa()
        cache.clear()
        setTrocas(trocas + 1)
      }
      setSessao(nova)
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [cache, pessoa, trocas])

  useEffect(() => {
    if (token === null) return disconnectSocket()
    connectSocket(token)
    return disconnectSocket
  }, [token])

  useEffect(() => {
    if (token === null) return
    const receber = (atual: StoredSession | null, usuario: Usuario): StoredSession | null => {
      // A late answer is about whoever asked, who may have left.
      if (atual === null || readToken() !== token) return atual
      const nova = { token, usuario: { ...atual.usuario, ...usuario } }
      // Mostly the server says what was known: nothing on the screen has to be looked at again.
      if (JSON.stringify(nova) === JSON.stringify(atual)) return atual
      writeSession(nova)
      return nova
    }
    // The stored copy shows at once; the server's word replaces it. Without network the copy stays.
    const perguntar = () =>
      call(euRoute, {}).then(({ usuario }) => setSessao((atual) => receber(atual, usuario)), ignoreApiError)
    void perguntar()
    // The server closes the socket of who may do something else now: who comes back asks what.
    let caiu = false
    return onEstadoSocket(() => {
      const { tipo } = estadoDoSocket()
      if (caiu && tipo === 'online') void perguntar()
      caiu = tipo === 'offline' || (caiu && tipo !== 'online')
    })
  }, [token])

  const login = useCallback(
    async (email: string, senha: string, lembrar: boolean) => {
      const { token: novo, usuario } = await call(loginRoute, { body: { email, senha, lembrar } })
      cache.clear()
      writeSession({ token: novo, usuario })
      setExpirou(false)
      setSessao({ token: novo, usuario })
      return usuario
    },
    [cache],
  )

  const logout = useCallback(() => {
    // The session ends here whatever the network says, and however long it takes; the server is told if it can be.
    void call(logoutRoute, {}).catch(ignoreApiError)
    setExpirou(false)
    encerrar()
  }, [encerrar])

  const valor = useMemo(
    () => ({ usuario: sessao?.usuario ?? null, token, expirou, login, logout, encerrar }),
    [sessao, token, expirou, login, logout, encerrar],
  )
  return (
    <SessaoContext key={trocas} value={valor}>
      {children}
    </SessaoContext>
  )
}

function ignoreApiError(erro: unknown): void {
  if (!(erro instanceof ApiError)) throw erro
}

export function useSessao(): Sessao {
  const sessao = use(SessaoContext)
  if (sessao === null) throw new Error('useSessao outside SessionProvider')
  return sessao
}

/** The logged-in user, on screens that only exist with one. */
export function useUsuario(): Usuario {
  const { usuario } = useSessao()
  if (usuario === null) throw new Error('useUsuario without a session')
  return usuario
}

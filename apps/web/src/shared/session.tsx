import type { Usuario } from '@balcao/contract/entities/usuario'
import { euRoute, loginRoute, logoutRoute } from '@balcao/contract/routes/auth'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useMemo, useState, type ReactNode } from 'react'
import { ApiError, call, setUnauthorizedHandler } from './api-client.ts'
import { connectSocket, disconnectSocket, socketState, onSocketState } from './realtime/socket.ts'
import { clearSession, clearPersonState, readSession, readToken, writeSession, type StoredSession } from './storage.ts'

/** The login session. Read from storage before the first paint, then refreshed from the server. */
export interface LoginSession {
  readonly usuario: Usuario | null
  readonly token: string | null
  readonly login: (email: string, password: string, remember: boolean) => Promise<Usuario>
  readonly logout: () => void
  readonly end: () => void
  /** True if the server ended the last session (revoked or expired). */
  readonly expired: boolean
}

const LoginSessionContext = createContext<LoginSession | null>(null)

export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSessao] = useState<StoredSession | null>(readSession)
  const [expirou, setExpirou] = useState(false)
  const cache = useQueryClient()
  const token = session?.token ?? null
  const pessoa = session?.usuario.id
  const [swaps, setTrocas] = useState(0)

  const finish = useCallback(() => {
    clearSession()
    cache.clear()
    setSessao(null)
  }, [cache])

  useEffect(
    () =>
      setUnauthorizedHandler(() => {
        setExpirou(true)
        finish()
      }),
    [finish],
  )
  // Follows a login or logout in another tab. If the person changes, screens, drafts and cache are discarded.
  useEffect(() => {
    const follow = (event: StorageEvent): void => {
      if (event.key !== 'token' && event.key !== null) return
      const fresh = readSession()
      if (fresh?.usuario.id !== pessoa) {
        clearPersonState()
        cache.clear()
        setTrocas(swaps + 1)
      }
      setSessao(fresh)
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [cache, pessoa, swaps])

  useEffect(() => {
    if (token === null) return disconnectSocket()
    connectSocket(token)
    return disconnectSocket
  }, [token])

  useEffect(() => {
    if (token === null) return
    const receive = (current: StoredSession | null, usuario: Usuario): StoredSession | null => {
      if (current === null || readToken() !== token) return current
      const fresh = { token, usuario: { ...current.usuario, ...usuario } }
      // Usually nothing changed. Keeping the object avoids a render of all screens.
      if (JSON.stringify(fresh) === JSON.stringify(current)) return current
      writeSession(fresh)
      return fresh
    }
    // Refreshes the stored user. Without network the stored copy stays.
    const perguntar = () =>
      call(euRoute, {}).then(({ usuario }) => setSessao((current) => receive(current, usuario)), ignoreApiError)
    void perguntar()
    // The server closes the socket when rights change, so each reconnection refetches the user.
    let caiu = false
    return onSocketState(() => {
      const { tipo } = socketState()
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
    // The logout here does not wait for the server; the call is best effort.
    void call(logoutRoute, {}).catch(ignoreApiError)
    setExpirou(false)
    finish()
  }, [finish])

  const valor = useMemo(
    () => ({ usuario: session?.usuario ?? null, token, expired: expirou, login, logout, end: finish }),
    [session, token, expirou, login, logout, finish],
  )
  return (
    <LoginSessionContext key={swaps} value={valor}>
      {children}
    </LoginSessionContext>
  )
}

function ignoreApiError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

export function useLoginSession(): LoginSession {
  const session = use(LoginSessionContext)
  if (session === null) throw new Error('useSessao outside SessionProvider')
  return session
}

export function useUsuario(): Usuario {
  const { usuario } = useLoginSession()
  if (usuario === null) throw new Error('useUsuario without a session')
  return usuario
}

import type { Usuario } from '@balcao/contract/entities/usuario'
import type { ResponseOf } from '@balcao/contract/define-route'
import type { Desafio } from '@balcao/contract/entities/segundo-fator'
import { euRoute, loginRoute, logoutRoute } from '@balcao/contract/routes/auth'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { ApiError, call, setRefusedSessionHandler } from './api-client.ts'
import { connectSocket, disconnectSocket, socketState, onSocketState } from './realtime/socket.ts'
import {
  clearPersonState,
  clearSession,
  PENDING_LOGOUTS,
  readSession,
  readToken,
  writeSession,
  type StoredSession,
} from './storage.ts'

export type NewSession = ResponseOf<typeof loginRoute>

interface LoginSession {
  readonly usuario: Usuario | null
  readonly token: string | null
  /** Returns a challenge, and starts no session, if a second factor is missing. */
  readonly login: (email: string, password: string, remember: boolean) => Promise<NewSession | Desafio>
  readonly enter: (session: NewSession) => void
  readonly logout: () => void
  readonly end: () => void
  /** True if the server ended the last session (revoked or expired). */
  readonly expired: boolean
  /** True if a second factor is demanded and missing: the session reaches only the enrolment. */
  readonly mustEnrol: boolean
  readonly enrolled: () => void
  /** The person changed the own data. */
  readonly changed: (usuario: Usuario) => void
}

const LoginSessionContext = createContext<LoginSession | null>(null)

/** Follows a login or logout in another tab. If the person changes, drafts are cleared and `onSwap` runs. */
function useOtherTabs(
  person: string | undefined,
  onSession: (fresh: StoredSession | null) => void,
  onSwap: () => void,
) {
  const follow = useEffectEvent((event: StorageEvent): void => {
    if (event.key !== 'token' && event.key !== null) return
    const fresh = readSession()
    if (fresh?.usuario.id !== person) {
      clearPersonState()
      onSwap()
    }
    onSession(fresh)
  })
  useEffect(() => {
    const listen = (event: StorageEvent): void => follow(event)
    addEventListener('storage', listen)
    return () => removeEventListener('storage', listen)
  }, [])
}

/** The session with the user of the server. Usually nothing changed: keeping the object avoids a render of all screens. */
function withUsuario(current: StoredSession | null, token: string, usuario: Usuario): StoredSession | null {
  if (current === null || readToken() !== token) return current
  const fresh = { token, usuario: { ...current.usuario, ...usuario } }
  if (JSON.stringify(fresh) === JSON.stringify(current)) return current
  writeSession(fresh)
  return fresh
}

type UpdateSession = (update: (current: StoredSession | null) => StoredSession | null) => void

function useFreshUsuario(token: string | null, setSession: UpdateSession): void {
  useEffect(() => {
    if (token === null) return
    const refresh = () =>
      call(euRoute, {}).then(
        ({ usuario }) => setSession((current) => withUsuario(current, token, usuario)),
        ignoreApiError,
      )
    void refresh()
    // The server closes the socket when rights change, so each reconnection refetches the user.
    let dropped = false
    return onSocketState(() => {
      const { tipo } = socketState()
      if (dropped && tipo === 'online') void refresh()
      dropped = tipo === 'offline' || (dropped && tipo !== 'online')
    })
  }, [token, setSession])
}

function useChangedUsuario(token: string | null, setSession: UpdateSession): (fresh: Usuario) => void {
  return useCallback(
    (fresh) => setSession((current) => (token === null ? current : withUsuario(current, token, fresh))),
    [token, setSession],
  )
}

function useSocket(token: string | null): void {
  useEffect(() => {
    if (token === null) return disconnectSocket()
    connectSocket(token)
    return disconnectSocket
  }, [token])
}

const login: LoginSession['login'] = (email, senha, lembrar) => call(loginRoute, { body: { email, senha, lembrar } })

export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<StoredSession | null>(readSession)
  const [expired, setExpired] = useState(false)
  const cache = useQueryClient()
  const [mustEnrol, setMustEnrol] = useState(false)
  const token = session?.token ?? null
  /** Screens and drafts of the previous person are discarded with the key. */
  const [swaps, setSwaps] = useState(0)

  const enrolled = useCallback(() => {
    cache.clear()
    setMustEnrol(false)
  }, [cache])

  const end = useCallback(() => {
    clearSession()
    enrolled()
    setSession(null)
  }, [enrolled])

  useEffect(
    () =>
      setRefusedSessionHandler((ended) => {
        if (!ended) return setMustEnrol(true)
        setExpired(true)
        end()
      }),
    [end],
  )
  useOtherTabs(session?.usuario.id, setSession, () => {
    enrolled()
    setSwaps(swaps + 1)
  })
  useSocket(mustEnrol ? null : token)
  useFreshUsuario(token, setSession)
  usePendingLogouts()

  const enter = useCallback(
    ({ token: fresh, usuario, cadastrarSegundoFator }: NewSession) => {
      cache.clear()
      writeSession({ token: fresh, usuario })
      setExpired(false)
      setMustEnrol(cadastrarSegundoFator === true)
      setSession({ token: fresh, usuario })
    },
    [cache],
  )

  const logout = useCallback(() => {
    // The logout here does not wait for the server.
    void logOutOnServer()
    setExpired(false)
    end()
  }, [end])

  const changed = useChangedUsuario(token, setSession)
  const usuario = session?.usuario ?? null
  const value = useMemo(
    () => ({ usuario, token, expired, mustEnrol, login, enter, enrolled, changed, logout, end }),
    [usuario, token, expired, mustEnrol, enter, enrolled, changed, logout, end],
  )
  return (
    <LoginSessionContext key={swaps} value={value}>
      {children}
    </LoginSessionContext>
  )
}

async function logOutOnServer(): Promise<void> {
  const token = readToken() ?? ''
  const logout = call(logoutRoute, {})
  logout.catch(ignoreApiError)
  const late = await loadLateLogout()
  await late?.finishLogout(token, logout)
}

/** Without network and service worker the part is missing, and the server's session ends by its age. */
const loadLateLogout = () => import('./offline/late-logout.ts').catch(() => undefined)

function usePendingLogouts(): void {
  useEffect(() => {
    if (localStorage.getItem(PENDING_LOGOUTS) !== null) void loadLateLogout().then((late) => late?.repeatLogouts())
  }, [])
}

function ignoreApiError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

export function useLoginSession(): LoginSession {
  const session = use(LoginSessionContext)
  if (session === null) throw new Error('useLoginSession outside SessionProvider')
  return session
}

export function useUsuario(): Usuario {
  const { usuario } = useLoginSession()
  if (usuario === null) throw new Error('useUsuario without a session')
  return usuario
}

/** True for the owner, if the account may use the AI. Operadores see neither its instructions nor its settings. */
export function useOwnsIa(): boolean {
  const { tipo, componentesPermitidos } = useUsuario()
  return tipo === 'admin' || (tipo === 'usuario' && componentesPermitidos.iaChatbot)
}

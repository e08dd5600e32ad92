import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
  useRouterState,
} from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { beforeIdle, whenIdle } from '#shared/when-idle.ts'
import { useLoginSession } from '#shared/session.tsx'
import { readSession } from '#shared/storage.ts'
import { removeFrame } from '#shared/ui/frame.ts'
import { PageSpinner } from '#shared/ui/spinner.tsx'
import { ErrorState } from '#shared/ui/states.tsx'

/** Guards read the session stored in the browser, so no route waits for the network. */

const rootRoute = createRootRoute({ component: Root, notFoundComponent: GoHome })

// Both load after the first paint. The bar also registers the service worker.
const OfflineBar = lazy(async () => {
  await whenIdle()
  return { default: (await import('#shared/offline/offline-bar.tsx')).OfflineBar }
})
const Overlays = lazy(async () => {
  await whenIdle()
  return { default: (await import('./overlays.tsx')).Overlays }
})

/** The panel removes the frame itself, so that nothing flashes. Any other screen removes it here. */
function useFrame(): void {
  const inPanel = useRouterState({ select: ({ location }) => location.pathname === '/dashboard' })
  useLayoutEffect(() => {
    if (!inPanel) removeFrame()
  }, [inPanel])
}

const EnrolmentScreen = lazy(async () => ({
  default: (await import('#features/conta/enrolment-screen.tsx')).EnrolmentScreen,
}))

function Root() {
  useFollowSession()
  useFrame()
  const { mustEnrol } = useLoginSession()
  return (
    <>
      <Suspense>
        <OfflineBar />
      </Suspense>
      {mustEnrol ? (
        <Suspense fallback={<PageSpinner />}>
          <EnrolmentScreen />
        </Suspense>
      ) : (
        <Outlet />
      )}
      <Suspense>
        <Overlays />
      </Suspense>
    </>
  )
}

/** Sends the page to the login when the session ends here, in another tab, or on the server. */
function useFollowSession(): void {
  const { token, expired } = useLoginSession()
  const router = useRouter()
  useEffect(() => {
    const isProtected = router.state.matches.some(({ routeId }) => PROTECTED_ROUTES.has(routeId))
    if (token !== null || !isProtected) return
    // After a logout the next person does not land on the page of this one.
    const search = expired ? { aviso: 'sessao', para: router.state.location.href } : {}
    void router.navigate({ to: '/login', search })
  }, [token, expired, router])
}

const PROTECTED_ROUTES = new Set(['/dashboard', '/admin', '/simulador', '/seguranca', '/conta'])

/** The landing page is a separate document: any unknown path leaves the router. */
function GoHome() {
  useEffect(() => location.replace('/'), [])
  return <PageSpinner />
}

function Broken() {
  useLayoutEffect(removeFrame, [])
  return (
    <ErrorState
      message="Algo deu errado nesta tela. Recarregue a página; se continuar, avise o administrador."
      onRetry={() => location.reload()}
    />
  )
}

interface Requested {
  readonly location: { readonly href: string }
}

function requireUser({ location }: Requested): void {
  if (readSession() === null) throw redirect({ to: '/login', search: { para: location.href } })
}

function requireAdmin({ location }: Requested): void {
  const session = readSession()
  if (session === null) throw redirect({ to: '/login', search: { aviso: 'admin', para: location.href } })
  if (session.usuario.tipo !== 'admin') throw redirect({ to: '/dashboard' })
}

function skipWhenIn(): void {
  const session = readSession()
  if (session !== null) throw redirect({ to: session.usuario.tipo === 'admin' ? '/admin' : '/dashboard' })
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const planoSearch = ({ plano }: Record<string, unknown>): { plano?: string | undefined } => ({ plano: asText(plano) })
/** `para` is the address that the login returns to. */
const loginSearch = ({
  aviso,
  para,
}: Record<string, unknown>): Partial<Record<'aviso' | 'para', string | undefined>> => ({
  aviso: asText(aviso),
  para: asText(para),
})
/** The router parses a typed number, such as part of a phone number, as `number`. */
const asWords = (value: unknown): string | undefined => (typeof value === 'number' ? String(value) : asText(value))
const tokenSearch = ({
  token,
  convite,
}: Record<string, unknown>): Partial<Record<'token' | 'convite', string | undefined>> => ({
  token: asText(token),
  convite: asWords(convite),
})
/** `c` is the open conversa, `detalhes` its customer over the chat, `m` the message to scroll to, `painel` the equipe page over the tab atendimento. The others filter the tab logs. */
type TabSearch = Partial<
  Record<
    'aba' | 'c' | 'detalhes' | 'm' | 'painel' | 'busca' | 'tipo' | 'periodo' | 'lista' | 'linha',
    string | undefined
  >
>
const tabSearch = ({
  aba,
  c,
  detalhes,
  m,
  painel,
  busca,
  tipo,
  periodo,
  lista,
  linha,
}: Record<string, unknown>): TabSearch => ({
  aba: asText(aba),
  c: asWords(c),
  detalhes: asText(detalhes),
  m: asWords(m),
  painel: asText(painel),
  busca: asWords(busca),
  tipo: asText(tipo),
  periodo: asText(periodo),
  lista: asText(lista),
  linha: asText(linha),
})
/** The admin chunk parses these values, so no other page loads that code. */
const adminSearch = (
  busca: Partial<Record<'aba' | 'busca' | 'status' | 'ordem' | 'pagina' | 'acao' | 'periodo', unknown>>,
) => busca

const routeTree = rootRoute.addChildren([
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/login',
    validateSearch: loginSearch,
    beforeLoad: skipWhenIn,
    component: lazyRouteComponent(() => import('#features/auth/login/login-screen.tsx'), 'LoginScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/register',
    validateSearch: planoSearch,
    beforeLoad: skipWhenIn,
    component: lazyRouteComponent(() => import('#features/auth/cadastro/register-screen.tsx'), 'RegisterScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('#features/auth/senha/forgot-screen.tsx'), 'ForgotScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/redefinir-senha',
    validateSearch: tokenSearch,
    component: lazyRouteComponent(() => import('#features/auth/senha/reset-screen.tsx'), 'ResetScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/terms',
    component: lazyRouteComponent(() => import('#features/legal/terms-screen.tsx'), 'TermsScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/privacy',
    component: lazyRouteComponent(() => import('#features/legal/privacy-screen.tsx'), 'PrivacyScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/ajuda/{-$tema}',
    component: lazyRouteComponent(() => import('#features/ajuda/ajuda-screen.tsx'), 'AjudaScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/dashboard',
    validateSearch: tabSearch,
    beforeLoad: requireUser,
    component: lazyRouteComponent(() => beforeIdle(import('#app/dashboard-page.tsx')), 'DashboardPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/simulador',
    beforeLoad: requireUser,
    component: lazyRouteComponent(() => import('#features/simulador/simulador-screen.tsx'), 'SimuladorScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/conta',
    beforeLoad: requireUser,
    component: lazyRouteComponent(() => import('#app/conta-page.tsx'), 'ContaPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/seguranca',
    beforeLoad: requireUser,
    component: lazyRouteComponent(() => import('#features/conta/seguranca-screen.tsx'), 'SegurancaScreen'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin',
    validateSearch: adminSearch,
    beforeLoad: requireAdmin,
    component: lazyRouteComponent(() => import('#features/admin/admin-screen.tsx'), 'AdminScreen'),
  }),
])

export function createPanelRouter() {
  return createRouter({
    routeTree,
    defaultPreload: 'intent',
    defaultPendingComponent: PageSpinner,
    defaultPendingMs: 200,
    defaultErrorComponent: Broken,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}

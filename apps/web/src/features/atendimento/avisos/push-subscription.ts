import { cancelarPushRoute, chavePushRoute, inscreverPushRoute } from '@balcao/contract/routes/push'
import { ApiError, call } from '#shared/api-client.ts'

/** Notices while the panel is closed: the subscription of this browser and its copy on the server. */

const STORAGE_KEY = 'avisos-no-aparelho'
/** A first worker stores all files of the panel before it is active. */
const ACTIVATION_MS = 60_000

/** iPadOS reports the platform of a Mac. Only an iPad also reports a touch screen. */
const isIos = ({ userAgent, maxTouchPoints }: Navigator): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)

/** `install`: iPhones and iPads allow notices only for a panel on the home screen. */
export function pushSupport(): 'supported' | 'install' | 'unsupported' {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported'
  return isIos(navigator) ? 'install' : 'unsupported'
}

/** The subscription as stored: usuario and id, separated by a space. */
function readStored(): { readonly usuarioId: string; readonly id: string } | null {
  const [usuarioId = '', id = ''] = localStorage.getItem(STORAGE_KEY)?.split(' ') ?? []
  return id === '' ? null : { usuarioId, id }
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

const isWanted = (usuarioId: string): boolean =>
  pushSupport() === 'supported' && readStored()?.usuarioId === usuarioId && Notification.permission === 'granted'

export async function isPushOn(usuarioId: string): Promise<boolean> {
  return isWanted(usuarioId) && (await findSubscription()) !== null
}

export async function enablePush(usuarioId: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await subscribe(usuarioId)
  return true
}

export async function disablePush(): Promise<void> {
  const stored = readStored()
  localStorage.removeItem(STORAGE_KEY)
  await (await findSubscription())?.unsubscribe()
  if (stored !== null) await call(cancelarPushRoute, { params: { id: stored.id } })
}

/** A subscription belongs to the login session and ends with the logout, so a new login subscribes again. */
export async function refreshPush(usuarioId: string): Promise<void> {
  if (isWanted(usuarioId)) await subscribe(usuarioId)
}

/**
 * Without an active worker browsers refuse a subscription and lose its notices. Rejects if the worker is not installed
 * or not active after 60 s.
 */
async function activeRegistration(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.getRegistration()
  const worker = registration?.active ?? registration?.waiting ?? registration?.installing
  if (registration === undefined || worker === undefined || worker === null) {
    throw new Error('service worker not registered')
  }
  const deadline = AbortSignal.timeout(ACTIVATION_MS)
  await new Promise<void>((resolve, reject) => {
    const check = (): void => {
      if (worker.state === 'activated') resolve()
      else if (worker.state === 'redundant' || deadline.aborted) reject(new Error('service worker not active'))
    }
    worker.addEventListener('statechange', check, { signal: deadline })
    deadline.addEventListener('abort', check)
    check()
  })
  return registration
}

async function subscribe(usuarioId: string): Promise<void> {
  const { chavePublica } = await call(chavePushRoute, {})
  const registration = await activeRegistration()
  const known = await registration.pushManager.getSubscription()
  const fits = known !== null && keyOf(known.options.applicationServerKey) === chavePublica
  if (known !== null && !fits) await known.unsubscribe()
  const subscription = fits
    ? known
    : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: chavePublica })
  const keys = { p256dh: keyOf(subscription.getKey('p256dh')), auth: keyOf(subscription.getKey('auth')) }
  try {
    const { id } = await call(inscreverPushRoute, { body: { endpoint: subscription.endpoint, keys } })
    localStorage.setItem(STORAGE_KEY, `${usuarioId} ${id}`)
  } catch (error) {
    if (isRefusal(error)) {
      localStorage.removeItem(STORAGE_KEY)
      await subscription.unsubscribe()
    }
    throw error
  }
}

/** The server does not accept the push service of this browser. Its text names browsers that work. */
export const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.codigo === 'dadosInvalidos'

function keyOf(bytes: ArrayBuffer | null): string {
  const letters = String.fromCodePoint(...new Uint8Array(bytes ?? new ArrayBuffer()))
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

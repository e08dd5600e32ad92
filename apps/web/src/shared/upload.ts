import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'
import type { ParamsOf, ResponseOf, RouteShape } from '@balcao/contract/define-route'
import { ApiError, conclude, fillPath } from './api-client.ts'
import { readToken } from './storage.ts'
import { TEXTS } from './texts.ts'

export interface Upload<R extends RouteShape> {
  readonly params: ParamsOf<R>
  readonly form: FormData
  readonly onProgress: (part: number) => void
}

/** Sends a form with files and reports progress, which `fetch` cannot. Rejects with `ApiError` only. */
export async function upload<R extends RouteShape>(
  row: R,
  { params, form, onProgress }: Upload<R>,
): Promise<ResponseOf<R>> {
  const token = readToken()
  const request = new XMLHttpRequest()
  request.open(row.method, `/api${fillPath(row.path, params)}`)
  if (token !== null) request.setRequestHeader('authorization', `Bearer ${token}`)
  request.timeout = TIMEOUT_ENVIO_MS
  request.upload.addEventListener('progress', ({ loaded, total }) => total > 0 && onProgress(loaded / total))
  await new Promise<void>((resolve, reject) => {
    request.addEventListener('load', () => resolve())
    request.addEventListener('error', () => reject(new ApiError(0, 'semRede', TEXTS.semRede)))
    request.addEventListener('timeout', () => reject(new ApiError(0, 'timeout', TEXTS.timeout)))
    request.send(form)
  })
  return conclude<ResponseOf<R>>(row, request.status, request.responseText, token)
}

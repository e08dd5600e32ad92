import type { CDPSession, Page } from 'playwright-core'

/** Slows the requests of a page down and drops the answers to these acts. The server has acted by then. */
export async function loseAnswers(page: Page, acts: readonly string[]): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  const slow = { offline: false, latency: 700, downloadThroughput: 30_000, uploadThroughput: 30_000 }
  await cdp.send('Network.emulateNetworkConditions', slow)
  cdp.on('Fetch.requestPaused', ({ requestId }) => {
    // The page may close while an answer is held.
    void cdp.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionClosed' }).catch(() => undefined)
  })
  const patterns = acts.map((act) => ({ urlPattern: `*/${act}`, requestStage: 'Response' as const }))
  await cdp.send('Fetch.enable', { patterns })
  return cdp
}

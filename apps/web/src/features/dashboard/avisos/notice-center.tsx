import { Bell } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useId, useState } from 'react'
import { whenIdle } from '#shared/when-idle.ts'
import { markAvisosRead, useUnreadAvisos } from '#shared/avisos.ts'

const NoticeList = lazy(async () => ({ default: (await import('./notice-list.tsx')).NoticeList }))
const KeptNoticeCount = lazy(async () => {
  await whenIdle()
  return { default: (await import('./kept-notices.tsx')).KeptNoticeCount }
})

export function NoticeCenter() {
  const [kept, setKept] = useState(0)
  const unread = useUnreadAvisos() + kept
  // Not in the frame of `app.html`, which has no data.
  const mounted = useDeferredValue(true, false)
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={
          unread > 0 ? `Central de avisos, ${unread} ${unread === 1 ? 'não lido' : 'não lidos'}` : 'Central de avisos'
        }
        aria-expanded={open}
        data-tip="Central de avisos"
        className={`btn btn-ghost btn-icon ${open ? 'relative' : 'tip'}`}
      >
        <Bell aria-hidden className="size-4.5" />
        {unread > 0 && <span aria-hidden className="absolute top-2 right-2 size-2 rounded-full bg-danger" />}
      </button>
      <div
        id={id}
        popover="auto"
        role="region"
        aria-label="Central de avisos"
        className="fixed inset-auto top-15 right-2 m-0 max-h-[min(70dvh,32rem)] w-[min(22rem,calc(100vw-1rem))] overflow-y-auto rounded-2xl border border-line bg-surface p-0 text-ink shadow-pop"
        onToggle={({ newState }) => {
          setOpen(newState === 'open')
          if (newState === 'open') markAvisosRead()
        }}
      >
        {mounted && (
          <Suspense>
            <KeptNoticeCount onCount={setKept} />
          </Suspense>
        )}
        <h2 className="sticky top-0 border-b bg-surface px-4 py-3 font-bold">Central de avisos</h2>
        {open && (
          <Suspense>
            <NoticeList onRun={() => document.getElementById(id)?.hidePopover()} />
          </Suspense>
        )}
      </div>
    </>
  )
}

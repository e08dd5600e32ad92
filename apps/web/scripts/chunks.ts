import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Rolldown } from 'vite'

/**
 * Groups the modules that several screens share into few files. By default each small module that two screens share is
 * a file: the first screen of the dashboard then has 80 requests, and on a phone each costs more than its content.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SRC = join(import.meta.dirname, '..', 'src')

const APP = ['app/main.tsx']
const LANDING = ['landing/bootstrap.ts', 'landing/demo-phone.tsx']
const DASHBOARD = ['app/dashboard-page.tsx']
const LOGIN = 'features/auth/login/login-screen.tsx'
const PUBLIC_SCREENS = [LOGIN, 'features/auth/cadastro/register-screen.tsx', 'features/auth/senha/forgot-screen.tsx']
const MENU = 'features/dashboard/shell/menu-footer.tsx'
const OTHER_SCREENS = ['features/admin/admin-screen.tsx', 'features/simulador/simulador-screen.tsx']
const FIRST_TAB = 'features/geral/geral-tab.tsx'
const FEATURES_FOLDER = join(SRC, 'features')
const TABS = readdirSync(join(SRC, 'features'))
  .map((name) => `features/${name}/${name}-tab.tsx`)
  .filter((entry) => existsSync(join(SRC, entry)))
/** A module that fewer tabs share stays in a separate file. */
const MIN_TABS = 4

const ICON_IMPORT = /import\s*\{([^}]*)\}\s*from\s*["']lucide-react["']/g
const ICON_FILE = /lucide-react[\\/].*[\\/]icons[\\/]([\w-]+)\.m?js$/
/** Needed by every screen of the panel, and by no part of the landing page. */
const CORE_FILE =
  /[\\/]tinykeys[\\/]|react-query[\\/].*queryOptions|shared[\\/]when-idle|contract[\\/]src[\\/](errors|routes[\\/]sistema)|lucide-react[\\/](?!.*[\\/]icons[\\/])/
/** Screens import only types of them. They load with the socket and with the forms that check a field. */
const SCHEMA_FILE = /[\\/]zod[\\/]|contract[\\/]src[\\/](entities[\\/]|routes[\\/]common)/

/** Only tabs with a form load them. */
const FORM_FILE = /shared[\\/](form|ui[\\/](save-bar|leave-unsaved|confirm-dialog)|hooks[\\/]use-unsaved)/

type Graph = Parameters<Rolldown.CodeSplittingNameFunction>[1]
type Keys = ReadonlySet<string>

const ICON = 'icon '
const icon = (name: string): string => `${ICON}${name.replace(/([a-z])([A-Z0-9])/g, '$1-$2').toLowerCase()}`

function keyOf(id: string): string {
  const file = ICON_FILE.exec(id)?.[1]
  return file === undefined ? id : icon(file)
}

/** Keys of the icons that a source imports. The index of the package imports every icon, used or not. */
function iconsOf(code: string): string[] {
  return [...code.matchAll(ICON_IMPORT)].flatMap(([, names = '']) =>
    names.split(',').map((name) => icon(name.trim().split(' ')[0] ?? '')),
  )
}

/** Keys of the entries' sources, of the sources they import statically, and of their icons. */
function closure(graph: Graph, entries: readonly string[]): Keys {
  const seen = new Set<string>()
  const visit = (id: string): void => {
    if (seen.has(id) || id.includes('node_modules') || !id.startsWith(ROOT)) return
    const info = graph.getModuleInfo(id)
    if (info === null) return
    seen.add(id)
    for (const key of iconsOf(info.code ?? '')) seen.add(key)
    for (const child of info.importedIds) visit(child)
  }
  for (const entry of entries) visit(join(SRC, entry))
  return seen
}

interface Screens {
  readonly app: Keys
  readonly landing: Keys
  readonly open: Keys
  readonly others: Keys
  readonly shell: Keys
  readonly login: Keys
  readonly menu: Keys
  readonly firstTab: Keys
  readonly tabs: Keys
}

function readScreens(graph: Graph): Screens {
  const of = (...entries: string[]) => closure(graph, entries)
  const tabs = TABS.map((tab) => of(tab))
  const all = tabs.flatMap((tab) => [...tab])
  return {
    app: of(...APP),
    landing: of(...LANDING),
    open: of(...PUBLIC_SCREENS),
    others: of(...OTHER_SCREENS),
    shell: of(...DASHBOARD),
    login: of(LOGIN),
    // A tab would load the whole menu for a helper that both import.
    menu: of(MENU).difference(new Set(all)),
    firstTab: of(FIRST_TAB),
    tabs: new Set(all.filter((key) => tabs.filter((tab) => tab.has(key)).length >= MIN_TABS)),
  }
}

/** Helpers of the dashboard. The admin and the simulador load those of `panel` only. */
function helpers({ others }: Screens, key: string, group: string): string {
  if (FORM_FILE.test(key)) return 'form'
  return others.has(key) ? 'panel' : group
}

/** Null: a file by the bundler's own rules. */
function groupOf(screens: Screens, key: string): string | null {
  const { open, shell, login, menu, firstTab, tabs, others } = screens
  if (shell.has(key)) return open.has(key) ? 'base' : helpers(screens, key, 'shell')
  if (tabs.has(key)) return helpers(screens, key, 'tabs')
  // The first tab's own sources stay in its file. Lazy parts share its icons and helpers, which would each be a file.
  if (key.startsWith(ICON) && (firstTab.has(key) || menu.has(key))) return 'base'
  if (firstTab.has(key) && !key.includes(FEATURES_FOLDER)) return helpers(screens, key, 'tabs')
  if (login.has(key)) return others.has(key) ? 'fields' : 'access'
  return menu.has(key) ? 'menu' : null
}

/** An entry stays in its own file: the manifest names files by their entry. */
const ENTRIES = new Set([...PUBLIC_SCREENS, ...DASHBOARD, ...TABS].map((entry) => join(SRC, entry)))

export function groupShared(): Rolldown.CodeSplittingNameFunction {
  let screens: Screens | null = null
  return (id, graph) => {
    if (CORE_FILE.test(id)) return 'core'
    if (SCHEMA_FILE.test(id)) return 'schemas'
    if (ENTRIES.has(id)) return null
    screens ??= readScreens(graph)
    const key = keyOf(id)
    if (screens.landing.has(key)) return null
    if (screens.app.has(key)) return key.includes('contract') ? 'core' : null
    return groupOf(screens, key)
  }
}

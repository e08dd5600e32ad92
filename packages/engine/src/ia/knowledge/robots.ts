/** Rules of a robots.txt for one crawler (RFC 9309). */

interface RobotsRule {
  readonly allow: boolean
  readonly path: string
}

export interface RobotsRules {
  readonly rules: readonly RobotsRule[]
  /** Seconds between two requests. */
  readonly delayS: number
}

const TEXT_MAX = 512_000
const RULES_MAX = 2_000
const PATH_MAX = 1_000

interface Group {
  readonly agents: string[]
  readonly rules: RobotsRule[]
  delayS: number
}

/** The rules of the groups that name `agent`, else of those for `*`. Unknown lines are skipped. */
export function parseRobots(text: string, agent: string): RobotsRules {
  const groups = groupsOf(text.slice(0, TEXT_MAX))
  const named = groups.filter(({ agents }) => agents.includes(agent))
  const chosen = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))
  return {
    rules: chosen.flatMap(({ rules }) => rules).slice(0, RULES_MAX),
    delayS: Math.max(0, ...chosen.map(({ delayS }) => delayS)),
  }
}

function groupsOf(written: string): Group[] {
  const groups: Group[] = []
  let naming = false
  for (const line of written.split(/\r\n|[\n\r]/)) {
    const [, field = '', given = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const name = field.toLowerCase()
    if (name === 'user-agent') {
      // Several names in a row share the rules behind them.
      if (!naming) groups.push({ agents: [], rules: [], delayS: 0 })
      groups.at(-1)?.agents.push(given.trim().toLowerCase())
    } else addRule(groups.at(-1), name, given.trim())
    if (name !== '') naming = name === 'user-agent'
  }
  return groups
}

function addRule(group: Group | undefined, name: string, given: string): void {
  if ((name === 'allow' || name === 'disallow') && given !== '')
    group?.rules.push({ allow: name === 'allow', path: given.slice(0, PATH_MAX) })
  if (name === 'crawl-delay' && group !== undefined) group.delayS = Number(given) > 0 ? Number(given) : 0
}

/** The longest rule that fits decides, and `allow` wins among equal ones. */
export function robotsAllow({ rules }: RobotsRules, path: string): boolean {
  const fitting = rules.filter((rule) => fits(rule.path, path))
  const longest = Math.max(0, ...fitting.map((rule) => rule.path.length))
  const decisive = fitting.filter((rule) => rule.path.length === longest)
  return decisive.length === 0 || decisive.some(({ allow }) => allow)
}

/** `*` stands for any text and `$` at the end for the end. Takes the earliest place of each part, so it never goes back. */
function fits(pattern: string, path: string): boolean {
  const toEnd = pattern.endsWith('$')
  const [first = '', ...others] = (toEnd ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of others.entries()) {
    if (toEnd && index === others.length - 1) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return !toEnd || at === path.length
}

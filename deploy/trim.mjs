// Deletes the files of installed packages that a running product does not load. Licences stay.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Folders in the root of a package. */
const FOLDERS = [
  ...['test', 'tests', '__tests__', 'coverage', 'benchmark', 'benchmarks'],
  ...['doc', 'docs', 'example', 'examples', '.github'],
  // PostgreSQL's, to compile extensions.
  ...['native/lib/pkgconfig', 'native/lib/postgresql/pgxs'],
]
/** Source maps, TypeScript, documents, and files of a C compiler. Node runs no TypeScript of packages. */
const FILES = /\.(?:map|[cm]?tsx?|flow|md|markdown|a|h)$/
const LICENCE = /^(?:licen[cs]e|copying|copyright|notice|authors|patents)/i
const LICENCE_OR_README = /^(?:licen[cs]e|copying|copyright|notice|authors|patents|readme)/i

/** Trims all packages of a `node_modules`, also nested ones. Packages of the workspace are links and stay. */
export function trimPackages(nodeModules, platform = `${process.platform}-${process.arch}`) {
  for (const folder of packagesOf(nodeModules)) {
    const names = readdirSync(folder)
    // Some packages have their licence only in the readme.
    const keep = names.some((name) => LICENCE.test(name)) ? LICENCE : LICENCE_OR_README
    for (const path of [...FOLDERS, ...foreignBuilds(folder, platform)]) sweep(join(folder, path), keep, /./)
    sweep(folder, keep, FILES)
    trimPackages(join(folder, 'node_modules'), platform)
  }
}

function foldersOf(path) {
  if (!existsSync(path)) return []
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
}

function packagesOf(nodeModules) {
  return foldersOf(nodeModules).flatMap((name) => {
    const folder = join(nodeModules, name)
    if (name.startsWith('@')) return packagesOf(folder)
    return existsSync(join(folder, 'package.json')) ? [folder] : []
  })
}

/** Native code for other platforms, which some packages contain beside that of this one. */
function foreignBuilds(folder, platform) {
  const builds = foldersOf(join(folder, 'prebuilds'))
  return builds.filter((name) => name !== platform).map((name) => join('prebuilds', name))
}

/** Deletes the files whose names match `unused`, except those that match `keep`, and the folders that become empty. */
function sweep(folder, keep, unused) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) {
      if (unused.test(entry.name) && !keep.test(entry.name)) rmSync(path)
    } else if (entry.name !== 'node_modules') sweep(path, keep, unused)
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

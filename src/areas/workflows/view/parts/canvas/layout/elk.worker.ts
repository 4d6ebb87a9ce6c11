/** elkjs handles messages by itself if it runs in a worker. */
import 'elkjs/lib/elk-worker.min.js';

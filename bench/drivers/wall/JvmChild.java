// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A JVM with a pool of 8 threads and a task every 20 ms waits for a child (sleep 2), then computes 1 s in the pool. Output: PID CLASS
 * NANOSECONDS. The wait is what went by on the clock less what the threads used of a CPU.
 */
public class JvmChild {
	static final long COMPUTE_NS = 1_000_000_000L;

	static long cpuOf(File thread) {
		try (BufferedReader reader = new BufferedReader(new FileReader(new File(thread, "schedstat")))) {
			String line = reader.readLine();
			return Long.parseLong(line.substring(0, line.indexOf(' ')));
		} catch (IOException ended) {
			return 0;
		}
	}

	static long cpuNs() {
		long sum = 0;
		for (File thread : new File("/proc/self/task").listFiles())
			sum += cpuOf(thread);
		return sum;
	}

	static long compute() {
		long begin = System.nanoTime(), x = 0;
		while (System.nanoTime() - begin < COMPUTE_NS)
			x++;
		return x;
	}

	static void print(String name, long ns) {
		System.out.println(ProcessHandle.current().pid() + " " + name + " " + ns);
	}

	public static void main(String[] arguments) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(8);
		ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
		clock.scheduleAtFixedRate(() -> { }, 0, 20, TimeUnit.MILLISECONDS);
		Process child = new ProcessBuilder("sleep", "2").start();
		long cpu = cpuNs();
		long begin = System.nanoTime();
		child.waitFor();
		long childNs = System.nanoTime() - begin - (cpuNs() - cpu);
		begin = System.nanoTime();
		pool.submit(JvmChild::compute).get();
		long computingNs = System.nanoTime() - begin;
		pool.shutdown();
		clock.shutdown();
		print("child", childNs);
		print("computing", computingNs);
	}
}
